import { causesOf, defineError } from "./errors";

/** Faults that the operator can fix. */
type StartFaultName =
  | "WrongSetting"
  | "DirectoryInUse"
  | "DatabaseIsNewer"
  | "DatabaseIsOlder"
  | "NoDatabase"
  | "MigrationBlocked"
  | "MigrationChanged"
  | "UnknownServerSecret"
  | "DataDirUnusable"
  | "DriverNotPatched"
  | "BackupRefused"
  | "WrongCommand";

const kind = defineError<{ readonly name: StartFaultName }>("StartFault");

/** @param sentence the only line that is printed */
export const startFault = (name: StartFaultName, sentence: string): Error =>
  kind.create(sentence, { name });

export const isStartFault = kind.is;

export const wrongSetting = (sentence: string): Error => startFault("WrongSetting", sentence);

const directoryFaults = new Set(["EEXIST", "ENOTDIR", "EACCES", "EROFS", "EPERM", "ENOSPC"]);
/** Missing database, wrong password, role or grant. */
const addressFaults = new Set(["3D000", "28P01", "28000", "42501"]);
/** Messages of PostgreSQL and PgBouncer. */
const parameterFault =
  /^(?:unrecognized configuration|invalid value for|unsupported startup) parameter/;
const certificateFault = /^(ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_)/;

/** Undefined if the fault is ours. */
export function describeStartFault(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    if (!(cause instanceof Error)) return undefined;
    const { message } = cause;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (isStartFault(cause)) return message;
    const isOfSocket =
      "syscall" in cause && (cause.syscall === "listen" || cause.syscall === "connect");
    if (directoryFaults.has(code) && !isOfSocket) return `DATA_DIR is wrong: ${message}.`;
    if (addressFaults.has(code) || certificateFault.test(code) || parameterFault.test(message))
      return `${settingOf(cause)} is wrong: ${message}.`;
  }
  return undefined;
}

/** A connection pool notes the setting on its errors. */
const settingOf = (error: Error): string =>
  "setting" in error && typeof error.setting === "string" ? error.setting : "DATABASE_URL";
