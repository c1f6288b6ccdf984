import type { Database } from "#db/client";
import type { Log } from "#server/platform/log";
import { insertRequestLines } from "./store";

/** One call, as the request log keeps it. */
export interface RequestLogLine {
  readonly at: Date;
  readonly requestId: string;
  readonly method: string;
  /** The route's template, never the address as sent; "unmatched" where there was none. */
  readonly route: string;
  readonly status: number;
  readonly failureCode: number | null;
  readonly accountId: string | null;
  readonly clientId: string | null;
  readonly address: string | null;
  /** How long the answer took. */
  readonly micros: number;
}

export interface RequestLog {
  /** Queues a line; never waits, and drops the line when the queue is full. */
  write(line: RequestLogLine): void;
  /** Writes what is queued. Never fails: lines that the database would not take are counted and dropped. */
  flush(): Promise<void>;
  /** Stops the timer and writes the rest. */
  close(): Promise<void>;
  /** Lines lost so far. */
  dropped(): number;
}

const batchLines = 200;
/** Some 20 seconds of a busy server: beyond it the database is gone, and memory matters more than the log. */
const mostQueued = 20_000;
const flushMilliseconds = 1_000;

/** Opens the batched writer of the request log: each second, or every 200 lines. One batch is under way at a time. */
export function openRequestLog({ database, log }: { database: Database; log: Log }): RequestLog {
  let queue: RequestLogLine[] = [];
  let running: Promise<void> | undefined;
  let lost = 0;
  let reported = 0;

  const drain = async () => {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchLines);
      queue = queue.slice(batchLines);
      try {
        await insertRequestLines(database.query, batch);
      } catch (error) {
        lost += batch.length;
        log.warn({ error: error instanceof Error ? error.name : "unknown" }, "request log lines could not be written");
      }
    }
    if (lost > reported) log.warn({ dropped: lost - reported }, "request log lines were dropped");
    reported = lost;
  };
  const flush = () => {
    running ??= drain().finally(() => {
      running = undefined;
    });
    return running;
  };
  const timer = setInterval(() => void flush(), flushMilliseconds);
  timer.unref();

  return {
    write: (line) => {
      if (queue.length >= mostQueued) {
        lost += 1;
        return;
      }
      queue.push(line);
      if (queue.length >= batchLines && running === undefined) void flush();
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
    dropped: () => lost,
  };
}
