import { connect, createServer, type Socket } from "node:net";

/**
 * A connection to a database that can fail silently, as with a frozen machine or dropped packets.
 */
export interface SilentProxy {
  readonly url: string;
  /** Nothing passes: open connections stay open, and new ones are accepted. */
  silence(): void;
  /** Requests pass, answers do not; new connections are silent. */
  swallowAnswers(): void;
  /** New connections pass. Earlier ones stay silent, unless `also` says otherwise. */
  heal(also?: "old connections"): void;
  opened(): number;
  close(): Promise<void>;
}

export async function silentProxy(url: string): Promise<SilentProxy> {
  const real = new URL(url);
  const pairs = new Set<{ near: Socket; beyond: Socket | undefined; held: boolean }>();
  let silent = false;
  let opened = 0;
  const server = createServer((near) => {
    opened += 1;
    near.on("error", () => {});
    const pair = { near, beyond: undefined as Socket | undefined, held: silent };
    pairs.add(pair);
    if (silent) near.pause();
    else pair.beyond = join(near, real);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const own = new URL(url);
  own.port = String(typeof address === "object" ? address?.port : "");
  own.hostname = "127.0.0.1";
  return {
    url: own.href,
    silence: () => {
      silent = true;
      for (const pair of pairs) {
        pair.held = true;
        pair.near.unpipe().pause();
        pair.beyond?.unpipe().pause();
      }
    },
    swallowAnswers: () => {
      silent = true;
      for (const { near, beyond } of pairs) beyond?.unpipe(near).resume();
    },
    heal: (also) => {
      silent = false;
      if (!also) return;
      for (const pair of pairs) {
        if (!pair.held) continue;
        pair.held = false;
        if (pair.beyond) pair.near.pipe(pair.beyond).pipe(pair.near);
        else pair.beyond = join(pair.near, real);
      }
    },
    opened: () => opened,
    close: async () => {
      for (const { near, beyond } of pairs) {
        near.destroy();
        beyond?.destroy();
      }
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

function join(near: Socket, { hostname, port }: URL): Socket {
  const beyond = connect(Number(port), hostname);
  beyond.on("error", () => {});
  near.pipe(beyond).pipe(near);
  near.once("close", () => beyond.destroy());
  return beyond;
}
