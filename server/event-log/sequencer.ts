import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "#db/client";
import { serializeError } from "../platform/errors";
import type { Log } from "../platform/log";
import { secondMs } from "../platform/time";
import { createWakeLoop } from "../work/wake-loop";
import { ensurePartition, lockLogEnd, moveToLog, partitionSize, readInboxBacklog } from "./store";

/** Messages only hint that the log has grown, so listeners read the log. */
export const eventChannel = "adjutant_events";

export type Sequencer = ReturnType<typeof createSequencer>;

interface SequencerOptions {
  readonly database: Database;
  readonly log: Log;
  readonly defer: (work: () => Promise<void>) => void;
  /** True to poll for events of processes that died after a commit. */
  readonly watches: boolean;
}

const batchSize = 500;
/** Milliseconds. The pause batches small transactions. */
const pauseMs = 25;
/** Milliseconds until a retry: the process with the lock may have missed our commit. */
const heldMs = 10;
const mostTries = 100;

/** Numbers events after their commit. A row lock lets one process run at a time. */
export function createSequencer({ database, log, defer, watches }: SequencerOptions) {
  let stopped = false;
  let madeUpTo = 0;

  const batch = () =>
    database.transaction(async (tx) => {
      const end = await lockLogEnd(tx);
      if (!end) return undefined;
      const ahead = end.seq + batchSize + partitionSize / 2;
      if (ahead > madeUpTo) {
        await ensurePartition(tx, end.seq + batchSize);
        await ensurePartition(tx, ahead);
      }
      const moved = await moveToLog(tx, end, batchSize);
      if (moved > 0) database.notify(tx, eventChannel, "");
      madeUpTo = ahead;
      return moved;
    });

  const run = async (): Promise<number> => {
    let total = 0;
    for (let tries = 0; tries < mostTries && !stopped; ) {
      const moved = await batch();
      if (moved === undefined) {
        tries += 1;
        await wait(heldMs);
      } else {
        total += moved;
        if (moved < batchSize) break;
      }
    }
    return total;
  };
  const numbering = createWakeLoop({
    run: async () => {
      await run();
    },
    onFailure: (error) =>
      log.warn({ error: serializeError(error) }, "events could not be numbered"),
    pause: pauseMs,
    defer,
  });
  if (watches) numbering.wakeEvery(secondMs);
  return {
    wake: numbering.wake,
    /** @returns how many events were numbered */
    run,
    stop: () => {
      stopped = true;
      numbering.stop();
    },
  };
}

const mostCounted = 10_000;

export async function measureInboxBacklog({
  database,
  now,
}: {
  readonly database: Pick<Database, "keyPool">;
  readonly now: () => Date;
}) {
  const { events, oldest } = await readInboxBacklog(database.keyPool, mostCounted);
  const lag = oldest === null ? 0 : (now().getTime() - oldest.getTime()) / secondMs;
  return { events, lagSeconds: Math.max(0, lag) };
}
