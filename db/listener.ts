import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type postgres from "postgres";
import { type Connections, type ConnectionsOptions, openConnections } from "./connections";
import type { Hints } from "./hints";

/** Receives the messages of others on this database, over a connection of its own that is kept, asked whether it lives, and made again. */
interface Listener {
  /**
   * `onDrop` is called whenever messages may be missing. Rejects where the first attempt fails; a process that goes on then is told as
   * soon as a later one succeeds.
   */
  listen(channel: string, onMessage: (payload: string) => void, onDrop: () => void): Promise<void>;
  readonly connections: Connections;
}

type Options = Omit<ConnectionsOptions, "size" | "onMessage" | "onClose" | "keepIdle">;

const retryMilliseconds = 500;
/** Many acts may end at once, and each sends a hint. */
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

/** The part of a database that sends and receives messages. */
interface EchoChannel extends Pick<Listener, "listen"> {
  readonly hints: Pick<Hints, "send">;
}

/**
 * Whether a message sent on this database arrives here within so many milliseconds. Behind a pooler that gives each transaction another
 * connection `LISTEN` succeeds, and no message ever arrives.
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
      // It was not sent, which says nothing about what is heard.
      .catch(() => resolve(true));
  });
  return Promise.race([heard, wait(timeout, false, { ref: false })]);
}
