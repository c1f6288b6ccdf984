import { causesOf, defineError } from "./errors";

/** Reasons that stop a start and that an operator can fix. */
export type StartFaultName =
  | "WrongSetting"
  | "DirectoryInUse"
  | "DatabaseIsNewer"
  | "DatabaseIsOlder"
  | "NoDatabase"
  | "MigrationBlocked"
  | "UnknownServerSecret"
  | "DataDirUnusable"
  | "DriverNotPatched"
  | "BackupRefused"
  | "WrongCommand";

const kind = defineError<{ readonly name: StartFaultName }>("StartFault");

/** @param sentence names what is wrong and says what to do; it is all that is printed */
export const startFault = (name: StartFaultName, sentence: string): Error =>
  kind.create(sentence, { name });

export const isStartFault = kind.is;

/** A setting is wrong; the message is one sentence that names it. */
export const wrongSetting = (sentence: string): Error => startFault("WrongSetting", sentence);

/** The system's words for a directory that cannot be made or written. */
const directoryFaults = new Set(["EEXIST", "ENOTDIR", "EACCES", "EROFS", "EPERM", "ENOSPC"]);
/** No such database, wrong password, no such role, a missing grant. */
const addressFaults = new Set(["3D000", "28P01", "28000", "42501"]);
/** PostgreSQL's and PgBouncer's words for a parameter of the address. */
const parameterFault =
  /^(?:unrecognized configuration|invalid value for|unsupported startup) parameter/;
/** TLS's: a certificate that is untrusted, expired or for another name. */
const certificateFault = /^(ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_)/;

/** The sentence for the operator; undefined where the fault is ours. */
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

/** The setting with the refused address; a pool writes it on the error. */
const settingOf = (error: Error): string =>
  "setting" in error && typeof error.setting === "string" ? error.setting : "DATABASE_URL";
