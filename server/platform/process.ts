import { isConnectionLost } from "./connection-lost";
import { causesOf, describeError } from "./describe-error";
import type { Log } from "./log";
import { isStartFault } from "./start-fault";

/** The system's words for a directory that cannot be made or written. */
const directoryFaults = new Set(["EEXIST", "ENOTDIR", "EACCES", "EROFS", "EPERM", "ENOSPC"]);
/** PostgreSQL's: no such database, wrong password, no such role. */
const addressFaults = new Set(["3D000", "28P01", "28000"]);
/** TLS's: a certificate that nobody trusted has signed, that is for another name, or that has expired. */
const certificateFault = /^(ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_)/;

/** The sentence for a person who can fix what stopped the start; undefined where the fault is ours. */
export function describeStartFault(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    if (!(cause instanceof Error)) return undefined;
    const { message } = cause;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (isStartFault(cause)) return message;
    const isOfSocket = "syscall" in cause && (cause.syscall === "listen" || cause.syscall === "connect");
    if (directoryFaults.has(code) && !isOfSocket) return `DATA_DIR is wrong: ${message}.`;
    if (addressFaults.has(code) || certificateFault.test(code)) return `${settingOf(cause)} is wrong: ${message}.`;
  }
  return undefined;
}

/** The setting whose address was not let in, which a pool of connections notes on the error. */
const settingOf = (error: Error): string =>
  "setting" in error && typeof error.setting === "string" ? error.setting : "DATABASE_URL";

/** Ends a process that could not start, with one line that says why. */
export function exitWithSentence(error: unknown): never {
  const sentence = describeStartFault(error) ?? `Adjutant could not start: ${JSON.stringify(describeError(error))}`;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** A lost connection is reported where it was used. Any other error that nothing caught leaves the process in an unknown state. */
export function exitOnUnexpectedErrors(log: Log): void {
  process.on("unhandledRejection", (error) => {
    log.error({ error: describeError(error) }, "a rejection was not handled");
  });
  process.on("uncaughtException", (error) => {
    log.error({ error: describeError(error) }, "an exception was not caught");
    if (!isConnectionLost(error)) process.exit(1);
  });
}

/** Ends the process in order where it is told to; a second signal ends it at once. */
export function endOnSignals(log: Log, end: (signal: NodeJS.Signals) => Promise<void>): void {
  let ending = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (ending) process.exit(1);
    ending = true;
    end(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error: describeError(error) }, "the process could not end in order");
        process.exit(1);
      },
    );
  };
  // In place of scripts/start.mjs, which ends the process at once where it has not started yet.
  for (const signal of ["SIGTERM", "SIGINT"]) process.removeAllListeners(signal).on(signal, onSignal);
}
