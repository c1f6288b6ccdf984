import type { FailureNote } from "#db/schema/operations";
import type { Context } from "#server/context";
import type { Failure } from "#server/failures";
import { writeExact } from "#server/platform/exact-json";
import { readJson } from "./read-input";
import type { RequestContext } from "./request-context";
import type { RequestLogLine } from "./store";

type AnsweredRequest = Pick<
  RequestLogLine,
  "requestId" | "method" | "route" | "status" | "clientId" | "micros"
>;

/** Others are arbitrary text. */
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

/** Once per answered request, on every transport. */
export function observeRequest(ctx: Context, answered: AnsweredRequest): void {
  const { requestId, method, route, status, clientId, micros } = answered;
  const known = methods.has(method) ? method : "other";
  ctx.metrics.requests.labels(known, route, String(status)).observe(micros / 1_000_000);
  if (ctx.settings.accessLog)
    ctx.log.info({ requestId, method, route, status, clientId, micros }, "request");
}

const longestNote = 2_000;
const longestText = 200;
const mostNames = 20;
/** Names with digits may be keys or tokens in the wrong place. */
const plainName = /^(?!adj_)[A-Za-z][A-Za-z_.-]{0,39}$/;
/** A game key may have no digit, and no route has a segment of this form. */
const secretText = /adj_[a-z]{2}_\w+|\b(?=\w*\d)\w{16,}\b|(?<=\/)[A-Za-z0-9]{16}(?=\/|$)/g;
/** jsonb rejects U+0000 and lone surrogates. */
const unstorable = /\\u(?:0000|d[89a-f])/;

export function describeRequest(call: RequestContext): Pick<RequestLogLine, "path" | "userAgent"> {
  if (!call.actor && !call.tokenHashes) return { path: null, userAgent: null };
  const userAgent = call.request.headers.get("user-agent") ?? "";
  return {
    path: hasValues(call) ? safe(call.pathname) : null,
    userAgent: safe(userAgent) || null,
  };
}

/** A cut secret would not look like one. */
const safe = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, "")
    .replace(secretText, "…")
    .slice(0, longestText);

/** Parameter names, and the answer's text. @returns null without an application */
export function noteFailure(
  call: RequestContext,
  { kind, message, details }: Failure,
): FailureNote | null {
  if (!call.actor && !call.tokenHashes) return null;
  const note: FailureNote = {
    ...(message !== kind.message && { message }),
    // For large integers.
    ...(details && { details: JSON.parse(writeExact(details)) }),
    ...namesOf("query", [...new URLSearchParams(call.search).keys()]),
    ...namesOf("body", fieldsOf(call.bodyText)),
  };
  const text = JSON.stringify(note);
  return text.length > longestNote || unstorable.test(text) ? {} : note;
}

const hasValues = ({ match }: RequestContext): boolean =>
  !match || Object.keys(match.params).length > 0;

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
