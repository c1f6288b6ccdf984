import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type postgres from "postgres";
import { type Connections, type ConnectionsOptions, openConnections } from "./connections";
import type { Hints } from "./hints";

interface Listener {
  /**
   * `onDrop` means that messages may be missing. Rejects if the first attempt fails; it is called
   * after a later attempt succeeds.
   */
  listen(channel: string, onMessage: (payload: string) => void, onDrop: () => void): Promise<void>;
  readonly connections: Connections;
}

type Options = Omit<ConnectionsOptions, "size" | "onMessage" | "onClose" | "keepIdle">;

const retryMilliseconds = 500;
/** Many acts may end at once, each with a hint. */
const mostAtOnce = 500;

export function openListener(options: Options, template: postgres.Sql): Listener {
  const channels = new Map<
    string,
    readonly { onMessage: (payload: string) => void; onDrop: () => void }[]
  >();
  const dropped = () => {
    for (const { onDrop } of [...channels.values()].flat()) onDrop();
  };
  let beginning = false;
  let closed = false;

  const begin = async () => {
    for (const channel of channels.keys()) await connections.driver.unsafe(`listen "${channel}"`);
    dropped();
  };
  const beginAgain = async () => {
    for (beginning = true; beginning && !closed; ) {
      await wait(retryMilliseconds, undefined, { ref: false });
      await begin().then(
        () => {
          beginning = false;
        },
        () => {},
      );
    }
  };
  const connections = openConnections(
    {
      ...options,
      size: 1,
      pipelined: mostAtOnce,
      keepIdle: true,
      onMessage: (channel, payload) => {
        for (const { onMessage } of channels.get(channel) ?? []) onMessage(payload);
      },
      onClose: () => {
        dropped();
        if (!beginning && channels.size > 0) void beginAgain();
      },
    },
    template,
  );
  return {
    connections: {
      ...connections,
      close: (milliseconds) => {
        closed = true;
        return connections.close(milliseconds);
      },
    },
    listen: async (channel, onMessage, onDrop) => {
      channels.set(channel, [...(channels.get(channel) ?? []), { onMessage, onDrop }]);
      try {
        await connections.driver.unsafe(`listen "${channel}"`);
      } catch (error) {
        if (!beginning) void beginAgain();
        throw error;
      }
      onDrop();
    },
  };
}

const echoChannel = "adjutant_echo";

interface EchoChannel extends Pick<Listener, "listen"> {
  readonly hints: Pick<Hints, "send">;
}

/**
 * True if a message arrives here within `timeout` ms. Behind a pooler in transaction mode `LISTEN`
 * succeeds, but no message ever arrives.
 */
export async function listenWorks(database: EchoChannel, timeout: number): Promise<boolean> {
  const own = randomUUID();
  const heard = new Promise<boolean>((resolve) => {
    database
      .listen(
        echoChannel,
        (payload) => payload === own && resolve(true),
        () => {},
      )
      .then(() => database.hints.send(echoChannel, own))
      // A failed send says nothing about reception.
      .catch(() => resolve(true));
  });
  return Promise.race([heard, wait(timeout, false, { ref: false })]);
}
