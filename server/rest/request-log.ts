import type { Database } from "#db/client";
import type { FailureNote } from "#db/schema/operations";
import type { Context } from "#server/context";
import type { Failure } from "#server/failures";
import { isConnectionLost, serializeError } from "#server/platform/errors";
import { writeExact } from "#server/platform/exact-json";
import { minuteOf } from "#server/platform/limiter/limiter";
import type { Log } from "#server/platform/log";
import type { Metrics } from "#server/platform/metrics";
import { singleFlight } from "#server/platform/ttl-cache";
import { readJson } from "./read-input";
import type { RequestContext } from "./request-context";
import { type AnsweredCall, insertRequestLines, type RequestLogLine } from "./store";

type AnsweredRequest = Pick<
  RequestLogLine,
  "requestId" | "method" | "route" | "status" | "clientId" | "micros"
>;

/** Other methods are arbitrary text, unfit for a label. */
const methods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** @param started by `performance.now()` */
export const microsSince = (started: number): number =>
  Math.round((performance.now() - started) * 1_000);

/** Called once per answered request, on every transport. */
export function observeRequest(
  { metrics, settings, log }: Pick<Context, "metrics" | "settings" | "log">,
  { requestId, method, route, status, clientId, micros }: AnsweredRequest,
): void {
  metrics.requests
    .labels(methods.has(method) ? method : "other", route, String(status))
    .observe(micros / 1_000_000);
  if (settings.accessLog)
    log.info({ requestId, method, route, status, clientId, micros }, "request");
}

const longestNote = 2_000;
const longestText = 200;
const mostNames = 20;
/** Names with digits may be keys or tokens in the wrong place. */
const plainName = /^(?!adj_)[A-Za-z][A-Za-z_.-]{0,39}$/;
/** The last pattern matches game keys, which may have no digit. No route has such a segment. */
const secretText = /adj_[a-z]{2}_\w+|\b(?=\w*\d)\w{16,}\b|(?<=\/)[A-Za-z0-9]{16}(?=\/|$)/g;
/** A message may repeat a client's text. Cursors stay, because the developer needs them. */
const secretInNote = /adj_[a-z]{2}_\w+|\b(?=\w*\d)[A-Za-z0-9]{16}\b/g;
/** jsonb rejects U+0000 and lone surrogates. */
const unstorable = /\\u(?:0000|d[89a-f])/;

/** Only notes about an application's calls have readers. */
const hasReaders = ({ actor, tokenHashes }: RequestContext): boolean =>
  actor !== undefined || tokenHashes !== undefined;

/** Null if the route template is the path. */
export function loggedPathOf(call: RequestContext): string | null {
  const { match, pathname } = call;
  const hasValues = !match || Object.keys(match.params).length > 0;
  return hasReaders(call) && hasValues ? safe(pathname) : null;
}

export function loggedUserAgentOf(call: RequestContext): string | null {
  if (!hasReaders(call)) return null;
  return safe(call.request.headers.get("user-agent") ?? "") || null;
}

/** Masks before it cuts, because a cut secret would not look like one. */
const safe = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, "")
    .replace(secretText, "…")
    .slice(0, longestText);

/** Notes the answer's text, but only the names of parameters. */
export function loggedFailureOf(
  call: RequestContext,
  { kind, message, details }: Failure,
): FailureNote | null {
  if (!hasReaders(call)) return null;
  const note: FailureNote = {
    ...(message !== kind.message && { message }),
    // JSON.stringify rejects bigints.
    ...(details && { details: JSON.parse(writeExact(details)) }),
    ...namesOf("query", [...new URLSearchParams(call.search).keys()]),
    ...namesOf("body", fieldsOf(call.bodyText)),
  };
  const text = JSON.stringify(note).replace(secretInNote, "…");
  return text.length > longestNote || unstorable.test(text) ? {} : JSON.parse(text);
}

function namesOf(part: "query" | "body", sent: readonly string[]) {
  const names = [...new Set(sent)].filter((name) => plainName.test(name)).slice(0, mostNames);
  return names.length > 0 && { [part]: names };
}

function fieldsOf(text: string): string[] {
  const read = text === "" ? undefined : readJson(text);
  const value = read && "value" in read ? read.value : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.keys(value)
    : [];
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
        // An error other than a lost connection would recur.
        resting = isConnectionLost(error);
        if (resting && !closing) break;
        if (resting) batch.push(...queue.slice(batchLines));
        else log.warn({ error: serializeError(error) }, "request log lines could not be written");
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
    write: (line: AnsweredCall) => {
      if (queue.length >= mostQueued) {
        drop(1);
        return;
      }
      queue.push(line);
      if (queue.length >= batchLines && !resting) void flush();
    },
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
 * Limits per application, minute and process. Beyond `mostDead` a line loses its application,
 * beyond `mostNotes` its note.
 */
const mostDead = 60;
const mostNotes = 120;
/** Lines a minute about calls with status 429 and no application. */
const mostRefused = 600;

/** Looks up the owners of dead tokens only. */
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
    return calls.flatMap((call) => {
      const { tokenHashes = [], failure = null, path = null, userAgent = null } = call;
      if (minuteOf(call.at) !== minute) {
        minute = minuteOf(call.at);
        counts.clear();
      }
      const owner = tokenHashes.map((hash) => owners.get(hash)).find(Boolean);
      const { accountId, clientId } =
        owner && mayCount(`dead ${owner.clientId}`, mostDead) ? owner : call;
      if (clientId === null) {
        if (call.status === 429 && !mayCount("refused", mostRefused)) return [];
        return { ...call, accountId, clientId, path: null, userAgent: null, failure: null };
      }
      const note = failure && mayCount(`notes ${clientId}`, mostNotes) ? failure : null;
      const noted = note && owner?.ended ? { ...note, token: owner.ended } : note;
      return { ...call, accountId, clientId, path, userAgent, failure: noted };
    });
  };
}
