import type { Database } from "#db/client";
import { serializeError } from "#server/platform/errors";
import type { Limiter } from "#server/platform/limiter/limiter";
import type { Log } from "#server/platform/log";
import {
  deleteInstance,
  type Instance,
  listInstances,
  listOtherInstances,
  putInstance,
} from "./store";

export type Presence = ReturnType<typeof createPresence>;

interface PresenceDeps {
  readonly database: Database;
  readonly id: string;
  readonly now: () => Date;
  readonly limiter: Pick<Limiter, "status">;
  readonly log: Log;
  /** False for processes without requests, such as commands. */
  readonly serves?: boolean;
}

const beatMilliseconds = 5_000;
/** Two heartbeats may be lost. */
const lifeMilliseconds = 15_000;

const endChannel = "instance_end";

const sentence =
  "Another process serves this database, and each counts rate limits for itself: set REDIS_URL (or UPSTASH_REDIS_REST_URL) for all of them.";

/** An embedded database has one process, so there is no heartbeat. */
export function createPresence({ database, id, now, limiter, log, serves = true }: PresenceDeps) {
  const alone = database.kind === "pglite" || !serves;
  const startedAt = now();
  const sharedLimits = limiter.status().kind !== "process";
  let others = 0;
  let divided = false;
  let warned = false;
  let left = false;
  let draining = false;

  const look = async () => {
    const lastSeen = now();
    await putInstance(database.query, { id, startedAt, lastSeen, sharedLimits });
    // A row last seen before our start may belong to a killed predecessor.
    const since = new Date(Math.max(lastSeen.getTime() - lifeMilliseconds, startedAt.getTime()));
    const found = await listOtherInstances(database.query, id, since);
    others = found.length;
    divided = others > 0 && !(sharedLimits && found.every((other) => other.sharedLimits));
    if (divided && !warned) log.warn({ others }, sentence);
    warned ||= divided;
  };
  let beating: Promise<void> = Promise.resolve();
  const beat = () => {
    beating = beating.then(async () => {
      if (alone || left) return;
      await look().catch((error: unknown) => {
        // Other parts report an outage of the database.
        log.debug({ error: serializeError(error) }, "the heartbeat could not be written");
      });
    });
    return beating;
  };
  const timer = setInterval(() => void beat(), beatMilliseconds);
  timer.unref();
  return {
    id,
    /** Writes a heartbeat and reads those of other processes. Never rejects. */
    beat,
    /** Count at the last heartbeat. */
    others: () => others,
    warning: () => (divided ? sentence : undefined),
    draining: () => draining,
    drain: () => {
      draining = true;
    },
    /** Oldest first. */
    list: async (): Promise<Instance[]> => {
      const at = now();
      if (database.kind === "pglite")
        return serves ? [{ id, startedAt, lastSeen: at, sharedLimits }] : [];
      return listInstances(database.query, new Date(at.getTime() - lifeMilliseconds));
    },
    /** Works like SIGTERM. */
    tellToEnd: (instance: string): Promise<void> => database.hints.send(endChannel, instance),
    onEnd: (end: () => void): Promise<void> =>
      database.listen(
        endChannel,
        (instance) => {
          if (instance === id) end();
        },
        // The operator sees the process in the list and repeats a lost message.
        () => {},
      ),
    /** Never rejects. */
    leave: async () => {
      clearInterval(timer);
      left = true;
      await beating;
      if (!alone) await deleteInstance(database.query, id).catch(() => {});
    },
  };
}
