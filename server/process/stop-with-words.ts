import { describeError } from "#server/platform/describe-error";
import { plainSentence } from "./plain-sentence";

/** Ends a process that could not start, with one line that says why. */
export function stopWithWords(error: unknown): never {
  const sentence = plainSentence(error) ?? `Adjutant could not start: ${JSON.stringify(describeError(error))}`;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
