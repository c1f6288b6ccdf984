import type { Database } from "#db/client";
import { isConnectionLost } from "#server/platform/connection-lost";
import { describeError } from "#server/platform/describe-error";
import type { Log } from "#server/platform/log";
import type { Metrics } from "#server/platform/metrics/metrics";
import { type AnsweredCall, createCompletion, type FindOwners } from "./complete-lines";
import { insertRequestLines } from "./store";

export interface RequestLog {
  /** Queues a line; never waits, and drops the line when the queue is full. */
  write(line: AnsweredCall): void;
  /** Writes what is queued. Never fails: lines that the database would not take are counted and dropped. */
  flush(): Promise<void>;
  /** Stops the timer and writes the rest. */
  close(): Promise<void>;
  /** Lines lost so far. */
  dropped(): number;
}

const batchLines = 500;
/** Some 20 seconds of a busy server: beyond it the database is gone, and memory matters more than the log. */
const mostQueued = 20_000;
const flushMilliseconds = 1_000;

export interface RequestLogDeps {
  readonly database: Database;
  readonly log: Log;
  readonly findOwners: FindOwners;
  readonly metrics?: Pick<Metrics, "requestLogDropped">;
}

/** Opens the batched writer of the request log: each second, or every 500 lines. One batch is under way at a time. */
export function createRequestLog({ database, log, findOwners, metrics }: RequestLogDeps): RequestLog {
  const complete = createCompletion(findOwners);
  let queue: AnsweredCall[] = [];
  let running: Promise<void> | undefined;
  let lost = 0;
  const dropped = metrics?.requestLogDropped.of();
  let reported = 0;
  let closing = false;
  /** Set while the database is gone: only the timer tries again then, not every line. */
  let resting = false;

  const drain = async () => {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchLines);
      try {
        await insertRequestLines(database, await complete(batch));
      } catch (error) {
        // A database that is gone may be back in a second; what it refuses for another reason it will refuse again.
        resting = isConnectionLost(error);
        if (resting && !closing) break;
        if (resting) batch.push(...queue.slice(batchLines));
        else log.warn({ error: describeError(error) }, "request log lines could not be written");
        lost += batch.length;
      }
      queue = queue.slice(batch.length);
    }
    if (lost > reported) log.warn({ dropped: lost - reported }, "request log lines were dropped");
    dropped?.inc(lost - reported);
    reported = lost;
  };
  const flush = () => {
    running ??= drain().finally(() => {
      running = undefined;
    });
    return running;
  };
  const timer = setInterval(() => {
    resting = false;
    void flush();
  }, flushMilliseconds);
  timer.unref();

  return {
    write: (line) => {
      if (queue.length >= mostQueued) {
        lost += 1;
        return;
      }
      queue.push(line);
      if (queue.length >= batchLines && running === undefined && !resting) void flush();
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
      closing = true;
      await flush();
    },
    dropped: () => lost,
  };
}
