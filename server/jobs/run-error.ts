import { describeError } from "#server/platform/describe-error";

const longestText = 500;

/** What a failed run leaves in its row: the error's name, and its code or else its message. A query's values stay out. */
export function runError(thrown: unknown): string {
  const isQuery = typeof thrown === "object" && thrown !== null && "query" in thrown && "cause" in thrown;
  const { name, errorCode, message } = describeError(isQuery ? thrown.cause : thrown);
  return [name, errorCode ?? message].filter(Boolean).join(": ").slice(0, longestText);
}
