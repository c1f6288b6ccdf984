import type { Database } from "#db/client";
import { describeError, isConnectionLost } from "#server/platform/errors";
import { minuteOf } from "#server/platform/limiter/limiter";
import type { Log } from "#server/platform/log";
import type { Metrics } from "#server/platform/metrics";
import { singleFlight } from "#server/platform/ttl-cache";
import { insertRequestLines, type RequestLogLine } from "./store";

type Described = "failure" | "path" | "userAgent";

export interface AnsweredCall
  extends Omit<RequestLogLine, Described>,
    Partial<Pick<RequestLogLine, Described>> {
  readonly tokenHashes?: readonly string[] | undefined;
}

type FindOwners = (hashes: readonly string[]) => Promise<
  ReadonlyMap<
    string,
    Pick<RequestLogLine, "clientId" | "accountId"> & {
      readonly ended: NonNullable<RequestLogLine["failure"]>["token"] | null;
    }
  >
>;

const batchLines = 500;
/** About 20 seconds of a busy server. */
const mostQueued = 20_000;
const flushMilliseconds = 1_000;

/** Each second or every 500 lines, one batch at a time. */
export function createRequestLog({
  database,
  log,
  findOwners,
  metrics,
}: {
  readonly database: Database;
  readonly log: Log;
  readonly findOwners: FindOwners;
  readonly metrics: Pick<Metrics, "requestLogDropped">;
}) {
  const complete = createCompletion(findOwners);
  let queue: AnsweredCall[] = [];
  /** Since the last line about it in the log. */
  let dropped = 0;
  let closing = false;
  let resting = false;

  const drop = (lines: number) => {
    dropped += lines;
    metrics.requestLogDropped.inc(lines);
  };
  const flush = singleFlight(async () => {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchLines);
      try {
        await insertRequestLines(database, await complete(batch));
      } catch (error) {
        // Other errors would repeat.
        resting = isConnectionLost(error);
        if (resting && !closing) break;
        if (resting) batch.push(...queue.slice(batchLines));
        else log.warn({ error: describeError(error) }, "request log lines could not be written");
        drop(batch.length);
      }
      queue = queue.slice(batch.length);
    }
    if (dropped > 0) log.warn({ dropped }, "request log lines were dropped");
    dropped = 0;
  });
  const timer = setInterval(() => {
    resting = false;
    void flush();
  }, flushMilliseconds);
  timer.unref();

  return {
    /** Never waits; drops the line if the queue is full. */
    write: (line: AnsweredCall) => {
      if (queue.length >= mostQueued) {
        drop(1);
        return;
      }
      queue.push(line);
      if (queue.length >= batchLines && !resting) void flush();
    },
    /** Never fails. */
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
      closing = true;
      await flush();
    },
  };
}

/**
 * Per application, minute and process: above them, failures lose the note, the application, or the
 * line.
 */
const mostDead = 60;
const mostNotes = 120;
/** For rate-limited calls without a live token. */
const mostRefused = 600;

/** Calls with a live token pay nothing. */
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
    return calls.flatMap(
      ({ tokenHashes = [], failure = null, path = null, userAgent = null, ...call }) => {
        if (minuteOf(call.at) !== minute) {
          minute = minuteOf(call.at);
          counts.clear();
        }
        const owner = tokenHashes.map((hash) => owners.get(hash)).find(Boolean);
        const { accountId, clientId } =
          owner && mayCount(`dead ${owner.clientId}`, mostDead) ? owner : call;
        if (clientId === null && call.status === 429 && !mayCount("refused", mostRefused))
          return [];
        if (clientId === null)
          return { ...call, accountId, clientId, path: null, userAgent: null, failure: null };
        const described = { ...call, accountId, clientId, path, userAgent };
        if (!failure || !mayCount(`notes ${clientId}`, mostNotes))
          return { ...described, failure: null };
        return {
          ...described,
          failure: owner?.ended ? { ...failure, token: owner.ended } : failure,
        };
      },
    );
  };
}
