/** What stops a start with one sentence, because the person who starts it can do something about it. */
const plainStops = new Set([
  "WrongSetting",
  "DirectoryInUse",
  "DatabaseIsNewer",
  "UnknownServerSecret",
  "DataDirUnusable",
]);
/** The system's words for a directory that cannot be made or written. */
const directoryFaults = new Set(["EEXIST", "ENOTDIR", "EACCES", "EROFS", "EPERM", "ENOSPC"]);
/** PostgreSQL's: no such database, wrong password, no such role. */
const addressFaults = new Set(["3D000", "28P01", "28000"]);
const deepestCause = 5;

/** The sentence for somebody who can mend what stopped the start; undefined where it is our own fault. */
export function plainSentence(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < deepestCause && cause instanceof Error; depth++) {
    const { name, message } = cause;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (plainStops.has(name)) return message;
    const isOfSocket = "syscall" in cause && (cause.syscall === "listen" || cause.syscall === "connect");
    if (directoryFaults.has(code) && !isOfSocket) return `DATA_DIR is wrong: ${message}.`;
    if (addressFaults.has(code)) return `DATABASE_URL is wrong: ${message}.`;
    cause = cause.cause;
  }
  return undefined;
}
