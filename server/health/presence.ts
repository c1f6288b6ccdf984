import type { Database } from "#db/client";
import { describeError } from "#server/platform/errors";
import type { Limiter } from "#server/platform/limiter/limiter";
import type { Log } from "#server/platform/log";
import {
  deleteInstance,
  type Instance,
  listInstances,
  listOtherInstances,
  putInstance,
} from "./store";

/** This process among those that serve the same database. */
export interface Presence {
  readonly id: string;
  /** Writes this process's heartbeat and reads the others. Never fails. */
  beat(): Promise<void>;
  /** How many other processes were alive at the last look. */
  others(): number;
  /** Advice where several processes count limits each for itself; undefined where all is well. */
  warning(): string | undefined;
  /** The processes that serve the database, the oldest first. */
  list(): Promise<Instance[]>;
  /** Ends one of them, as SIGTERM does. */
  tellToEnd(id: string): Promise<void>;
  /** Calls `end` on a request to end this process. */
  onEnd(end: () => void): Promise<void>;
  /** Takes this process's row away. Never fails. */
  leave(): Promise<void>;
}

export interface PresenceDeps {
  readonly database: Database;
  readonly id: string;
  readonly now: () => Date;
  readonly limiter: Pick<Limiter, "status">;
  readonly log: Log;
  /** False: a command, which the others do not count. */
  readonly serves?: boolean;
}

const beatMilliseconds = 5_000;
/** Two beats may be lost. */
const lifeMilliseconds = 15_000;

const endChannel = "instance_end";

const sentence =
  "Another process serves this database, and each counts rate limits for itself: set REDIS_URL (or UPSTASH_REDIS_REST_URL) for all of them.";

/** Opens the heartbeat. An embedded database belongs to one process, which need not look for others. */
export function createPresence({
  database,
  id,
  now,
  limiter,
  log,
  serves = true,
}: PresenceDeps): Presence {
  const alone = database.kind === "pglite" || !serves;
  const startedAt = now();
  const sharedLimits = limiter.status().kind !== "process";
  let others = 0;
  let divided = false;
  let warned = false;
  let left = false;

  const look = async () => {
    const lastSeen = now();
    await putInstance(database.query, { id, startedAt, lastSeen, sharedLimits });
    // A row not updated since this start may be a killed predecessor's.
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
        // The parts that need the database report that it is away.
        log.debug({ error: describeError(error) }, "the heartbeat could not be written");
      });
    });
    return beating;
  };
  const timer = setInterval(() => void beat(), beatMilliseconds);
  timer.unref();
  return {
    id,
    beat,
    others: () => others,
    warning: () => (divided ? sentence : undefined),
    list: async () => {
      const at = now();
      if (database.kind === "pglite")
        return serves ? [{ id, startedAt, lastSeen: at, sharedLimits }] : [];
      return listInstances(database.query, new Date(at.getTime() - lifeMilliseconds));
    },
    tellToEnd: (instance) => database.hints.send(endChannel, instance),
    onEnd: (end) =>
      database.listen(
        endChannel,
        (instance) => {
          if (instance === id) end();
        },
        // The operator sees the process in the list and can repeat a lost message.
        () => {},
      ),
    leave: async () => {
      clearInterval(timer);
      left = true;
      await beating;
      if (!alone) await deleteInstance(database.query, id).catch(() => {});
    },
  };
}
