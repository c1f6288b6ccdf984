import { hostname } from "node:os";
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
  paths: secretFields.flatMap((field) => ["", "*.", "*.*."].map((prefix) => `${prefix}["${field}"]`)),
  censor: "[cut]",
};

/** Names this process among those whose lines are gathered in one place. */
const instance = `${hostname()}:${process.pid}`;

/** Opens the process's log. @param to standard output, unless it is given */
export const createLog = (level: string, to: pino.DestinationStream = pino.destination(1)): Log =>
  pino({ level, redact, base: { instance, version }, timestamp: pino.stdTimeFunctions.isoTime }, to);
