import type { Database } from "#db/client";
import { isConnectionLost } from "#server/platform/connection-lost";
import { describeError } from "#server/platform/errors";
import { minuteOf } from "#server/platform/limiter/limiter";
import type { Log } from "#server/platform/log";
import type { Metrics } from "#server/platform/metrics";
import { insertRequestLines, type RequestLogLine } from "./store";

/** A call as it was answered; the owner of its token may not be known yet. */
export interface AnsweredCall extends Omit<RequestLogLine, "failure"> {
  readonly failure?: RequestLogLine["failure"];
  /** The hashes under which the refused token would be stored. */
  readonly tokenHashes?: readonly string[] | undefined;
}

/** Finds the owners of the tokens that are, or were, stored under these hashes. */
type FindOwners = (hashes: readonly string[]) => Promise<
  ReadonlyMap<
    string,
    Pick<RequestLogLine, "clientId" | "accountId"> & {
      readonly ended: NonNullable<RequestLogLine["failure"]>["token"] | null;
    }
  >
>;

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
export function createRequestLog({
  database,
  log,
  findOwners,
  metrics,
}: RequestLogDeps): RequestLog {
  const complete = createCompletion(findOwners);
  let queue: AnsweredCall[] = [];
  let running: Promise<void> | undefined;
  let lost = 0;
  const dropped = metrics?.requestLogDropped;
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

/**
 * Of an application and a minute, in each process. A client that keeps sending a dead token could fill its developer's
 * list, and refused calls could fill the log: beyond these numbers they are counted without a note, or without an application, or not written.
 */
const mostDead = 60;
const mostNotes = 120;
/** Calls without a live token that were refused for their rate. A process writes so many a minute; the metrics count them all. */
const mostRefused = 600;

/**
 * Finds the applications of dead tokens, those of a batch at once and after their answers, so that calls with a live token pay
 * nothing for it; and bounds what is written of failures.
 */
function createCompletion(findOwners: FindOwners) {
  let minute = 0;
  const counts = new Map<string, number>();
  const mayCount = (what: string, most: number): boolean => {
    const count = counts.get(what) ?? 0;
    counts.set(what, count + 1);
    return count < most;
  };
  return async (calls: readonly AnsweredCall[]): Promise<RequestLogLine[]> => {
    const owners = await findOwners(calls.flatMap(({ tokenHashes = [] }) => tokenHashes));
    return calls.flatMap(({ tokenHashes = [], failure = null, ...call }) => {
      if (minuteOf(call.at) !== minute) {
        minute = minuteOf(call.at);
        counts.clear();
      }
      const owner = tokenHashes.map((hash) => owners.get(hash)).find(Boolean);
      const { accountId, clientId } =
        owner && mayCount(`dead ${owner.clientId}`, mostDead) ? owner : call;
      if (clientId === null && call.status === 429 && !mayCount("refused", mostRefused)) return [];
      if (!failure || clientId === null || !mayCount(`notes ${clientId}`, mostNotes))
        return { ...call, accountId, clientId, failure: null };
      return {
        ...call,
        accountId,
        clientId,
        failure: owner?.ended ? { ...failure, token: owner.ended } : failure,
      };
    });
  };
}
