import { describeError } from "#server/platform/describe-error";

/** What stops a start with one sentence, because the person who starts it can do something about it. */
const plainStops = new Set(["WrongSetting", "DirectoryInUse", "DatabaseIsNewer"]);

/** Ends a process that could not start, with one line that says why. */
export function stopWithWords(error: unknown): never {
  const plain = error instanceof Error && plainStops.has(error.name);
  process.stderr.write(
    plain ? `${error.message}\n` : `Adjutant could not start: ${JSON.stringify(describeError(error))}\n`,
  );
  process.exit(1);
}
