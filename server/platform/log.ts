import pino from "pino";
import { version } from "./env";

/** Structured log lines. Values are encoded as JSON, so that no input can forge a line. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Fields that may carry a secret are cut wherever they stand, up to three levels deep. */
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
  readonly instance?: string;
  /** By default standard output. */
  readonly to?: pino.DestinationStream;
}

/** Opens the process's log. */
export const createLog = (
  level: string,
  { instance, to = pino.destination(1) }: LogOptions = {},
): Log =>
  pino(
    { level, redact, base: { instance, version }, timestamp: pino.stdTimeFunctions.isoTime },
    to,
  );
