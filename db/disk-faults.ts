import { startFault } from "#server/platform/start-fault";

interface Fault {
  /** As Node names it. */
  readonly codes: readonly string[];
  /** As the file system of the embedded database numbers it (WASI). */
  readonly number: number;
  /** As PostgreSQL spells it in its messages. */
  readonly text: RegExp;
  readonly says: string;
}

const faults: readonly Fault[] = [
  { codes: ["ENOSPC"], number: 51, text: /No space left on device/, says: "its disk is full. Make room on it" },
  { codes: ["EDQUOT"], number: 19, text: /Disk quota exceeded/, says: "its disk quota is spent. Make room in it" },
  {
    codes: ["EROFS"],
    number: 69,
    text: /Read-only file system/,
    says: "its file system is read-only. Make it writable",
  },
  {
    codes: ["EACCES", "EPERM"],
    number: 2,
    text: /Permission denied/,
    says: "this user may not write there. Give it to the user that runs Adjutant",
  },
  {
    codes: ["EEXIST", "ENOTDIR"],
    number: 54,
    text: /Not a directory/,
    says: "it is, or lies below, a file. Name a directory",
  },
  { codes: ["ENOENT"], number: 44, text: /^$/, says: "it cannot be created. Create it, or name another one" },
  { codes: ["EIO"], number: 29, text: /Input\/output error/, says: "its disk reports errors. Replace the disk" },
];

function faultIn(error: unknown): Fault | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("severity" in error && "message" in error) return faults.find(({ text }) => text.test(String(error.message)));
  if ("name" in error && error.name === "ErrnoError" && "errno" in error)
    return faults.find(({ number }) => number === error.errno);
  // A file of a package may be missing as well: of the directory this speaks where it could not be made.
  if ("code" in error && error.code === "ENOENT" && (!("syscall" in error) || error.syscall !== "mkdir"))
    return undefined;
  return "code" in error ? faults.find(({ codes }) => codes.includes(String(error.code))) : undefined;
}

/** Whether the disk below the embedded database is the reason. */
export const isDiskFault = (error: unknown): boolean => faultIn(error) !== undefined;

/** One sentence about a directory that can no longer be written, while the database runs. */
export const explainDiskFault = (dataDir: string, error: unknown): string =>
  `DATA_DIR ${dataDir} cannot be written: ${faultIn(error)?.says ?? "the embedded database stopped"} and start Adjutant again; nothing that was acknowledged is lost.`;

/** The same at the start. Its cause is left out: a missing file must not look like a database that is not there yet. */
export const dataDirUnusable = (dataDir: string, error: unknown): Error =>
  startFault(
    "DataDirUnusable",
    `DATA_DIR is wrong: ${dataDir} cannot be used, because ${faultIn(error)?.says ?? "it cannot be written"}, or set DATA_DIR to another directory.`,
  );
