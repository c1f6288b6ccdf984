import { connect, createServer, type Socket } from "node:net";

/**
 * A proxy to a database that can drop packets silently, as by a frozen machine or a network that
 * drops packets.
 */
export interface SilentProxy {
  /** The address of the same database by this way. */
  readonly url: string;
  /**
   * From now on nothing passes: open connections stay open, new ones are taken, and no byte is
   * passed on.
   */
  silence(): void;
  /** From now on what was asked arrives, and no answer does. New connections stay silent. */
  swallowAnswers(): void;
  /** New connections pass again. Those from before stay silent for ever, unless `also` says that they go on. */
  heal(also?: "old connections"): void;
  /** How many connections were opened so far. */
  opened(): number;
  close(): Promise<void>;
}

/** Opens a proxy on a free loopback port before the database of `url`. */
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
