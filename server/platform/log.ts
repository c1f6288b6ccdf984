import pino from "pino";
import { version } from "./env";

/** Values are JSON-encoded, so that no input can forge a line. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Redacted up to three levels deep. */
const secretFields = [
  "key",
  "game_key",
  "gameKey",
  "token",
  "access_token",
  "refresh_token",
  "code",
  "code_verifier",
  "client_secret",
  "secret",
  "cookie",
  "authorization",
  "set-cookie",
];
const redact = {
  paths: secretFields.flatMap((field) =>
    ["", "*.", "*.*."].map((prefix) => `${prefix}["${field}"]`),
  ),
  censor: "[cut]",
};

interface LogOptions {
  /** Unset for processes that serve no requests. */
  readonly instance?: string;
  readonly to?: pino.DestinationStream;
}

export const createLog = (
  level: string,
  { instance, to = pino.destination(1) }: LogOptions = {},
): Log =>
  pino(
    { level, redact, base: { instance, version }, timestamp: pino.stdTimeFunctions.isoTime },
    to,
  );
