import type { FailureNote } from "#db/schema/operations";
import type { Failure } from "#server/failures";
import { writeExact } from "#server/platform/exact-json";
import { readJson } from "./read-input";
import type { RequestContext } from "./request-context";

/** Characters of a note as JSON, and of a path: enough to see what is wrong. */
const longestNote = 2_000;
const longestPath = 200;
const mostNames = 20;
/** Names that a developer writes. What has digits may be a key or a token in the place of a name. */
const plainName = /^(?!adj_)[A-Za-z][A-Za-z_.-]{0,39}$/;
const secretText = /adj_[a-z]{2}_\w+|\b(?=\w*\d)\w{16,}\b/g;
/** Characters that jsonb refuses: U+0000, and half of a surrogate pair. */
const unstorable = /\\u(?:0000|d[89a-f])/;

/**
 * The note of a failed call for the application's developer: its path, the names of its other parameters, and the answer's words.
 * @returns null for a call of no application
 */
export function noteFailure(
  call: RequestContext,
  { kind, message, details }: Failure,
): FailureNote | null {
  if (!call.actor && !call.tokenHashes) return null;
  const note: FailureNote = {
    ...(message !== kind.message && { message }),
    // Integers that are too large for a number are written as such, and JSON alone knows how.
    ...(details && { details: JSON.parse(writeExact(details)) }),
    ...namesOf("query", [...new URLSearchParams(call.search).keys()]),
    ...namesOf("body", fieldsOf(call.bodyText)),
    // Which record was asked for is the first thing that a 404 leaves open.
    ...(hasValues(call) && { path: call.pathname.slice(0, longestPath).replace(secretText, "…") }),
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
