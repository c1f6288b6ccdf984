import type { Server } from "node:http";
import { isConnectionLost, serializeError } from "./errors";
import type { Log } from "./log";
import { describeStartFault, wrongSetting } from "./start-fault";

interface ListenAddress {
  readonly port: number;
  readonly host: string;
  readonly settings: { readonly port: string; readonly host: string };
}

export function listen(server: Server, { port, host, settings }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const noAddress = `${settings.host} is wrong: ${host} is no address of this machine.`;
    const sentences: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} of ${host} is in use by another process. Stop it, or set ${settings.port} to another one.`,
      EACCES: `Port ${port} of ${host} is not for this user. Set ${settings.port} to one above 1023.`,
      EADDRNOTAVAIL: noAddress,
      ENOTFOUND: noAddress,
    };
    server.once("error", (error: NodeJS.ErrnoException) => {
      const sentence = sentences[error.code ?? ""];
      reject(sentence === undefined ? error : wrongSetting(sentence));
    });
    server.listen(port, host, resolve);
  });
}

export function exitWithSentence(error: unknown): never {
  const sentence =
    describeStartFault(error) ??
    `Adjutant could not start: ${JSON.stringify(serializeError(error))}`;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

const longestPrinted = 2_000;

/** Encodes libraries' output, so that visitors cannot forge lines. */
export function redirectConsole(log: Log): void {
  const levels = {
    error: "error",
    warn: "warn",
    log: "info",
    info: "info",
    debug: "debug",
  } as const;
  for (const [method, level] of Object.entries(levels))
    console[method as keyof typeof levels] = (...printed: unknown[]) => {
      const [error] = printed.filter((each) => typeof each === "object" && each !== null);
      const text = printed
        .filter((each) => typeof each === "string")
        .join(" ")
        .slice(0, longestPrinted);
      log[level]({ error: error && serializeError(error), text }, "printed by a library");
    };
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ error: serializeError(warning) }, "Node warns"));
}

/** Any uncaught exception but a lost connection leaves an unknown state. */
export function exitOnUnexpectedErrors(log: Log): void {
  process.on("unhandledRejection", (error) => {
    log.error({ error: serializeError(error) }, "a rejection was not handled");
  });
  process.on("uncaughtException", (error) => {
    log.error({ error: serializeError(error) }, "an exception was not caught");
    if (!isConnectionLost(error)) process.exit(1);
  });
}

export function endOnSignals(log: Log, end: (signal: NodeJS.Signals) => Promise<void>): void {
  let ending = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (ending) process.exit(1);
    ending = true;
    end(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error: serializeError(error) }, "the process could not end in order");
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // Handlers of scripts/start.mjs, which end an unstarted process at once.
    const before = process.listeners(signal);
    process.on(signal, onSignal);
    // Removed only now, because a signal in between would be lost.
    for (const listener of before) process.off(signal, listener);
  }
}
