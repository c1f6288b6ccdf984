import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import type postgres from "postgres";
import { type ConnectionPoolOptions, openConnectionPool } from "./connections";
import { isConnectionFailure } from "./error-codes";

export type HintSender = ReturnType<typeof createHintSender>;

/** If a hint is lost, other processes poll within a second. */
export function createHintSender(notify: (channel: string, payload: string) => Promise<unknown>) {
  let failed = 0;
  let failing = false;
  let report: (error: unknown) => void = () => {};
  return {
    failing: () => failing,
    failed: () => failed,
    onFailure: (to: typeof report) => {
      report = to;
    },
    send: async (channel: string, payload: string): Promise<void> => {
      try {
        await notify(channel, payload);
        failing = false;
      } catch (error) {
        if (!isConnectionFailure(error)) {
          failed += 1;
          if (!failing) report(error);
          failing = true;
        }
        throw error;
      }
    },
  };
}

type Options = Omit<ConnectionPoolOptions, "size" | "onMessage" | "onClose" | "keepIdle">;

const retryMilliseconds = 500;
const mostAtOnce = 500;

export function openListener(options: Options, template: postgres.Sql) {
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
  const connections = openConnectionPool(
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
      close: (milliseconds: number) => {
        closed = true;
        return connections.close(milliseconds);
      },
    },
    /** Calls `onDrop` when listening begins, even after a failed attempt. */
    listen: async (
      channel: string,
      onMessage: (payload: string) => void,
      onDrop: () => void,
    ): Promise<void> => {
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

interface EchoChannel extends Pick<ReturnType<typeof openListener>, "listen"> {
  readonly query: { execute(statement: SQL): PromiseLike<unknown> };
}

/** Behind a pooler in transaction mode no message arrives. @param timeout milliseconds */
export async function listenWorks(database: EchoChannel, timeout: number): Promise<boolean> {
  const own = randomUUID();
  const heard = new Promise<boolean>((resolve) => {
    database
      .listen(
        echoChannel,
        (payload) => payload === own && resolve(true),
        () => {},
      )
      // Sends on another connection, because the listening one hears itself behind a pooler too.
      .then(() => database.query.execute(sql`select pg_notify(${echoChannel}, ${own})`))
      .catch(() => resolve(true));
  });
  return Promise.race([heard, wait(timeout, false, { ref: false })]);
}
