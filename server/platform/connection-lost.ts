import { causesOf, errorCodes } from "./errors";

/** Codes of postgres.js, our pool and the system for an unreachable, closed or busy server. */
const driverCodes = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "DATABASE_SILENT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "POOL_BUSY",
]);

/**
 * PostgreSQL (appendix A): 08 connection exception, 53 insufficient resources, 57P0x shutdown or
 * start, 57014 timeout, 25006 standby, 25P03 idle transaction; 40001 and 40P01: conflicts, twice.
 */
const serverCode = /^(?:08...|53...|57P0[1-5]|57014|25006|25P03|40001|40P01)$/;

/**
 * True if the database is unreachable, so that a retry may succeed. Searches the chain of causes.
 */
export const isConnectionLost = (thrown: unknown): boolean =>
  errorCodes(thrown).some((code) => driverCodes.has(code) || serverCode.test(code)) ||
  causesOf(thrown).some(isMissingSocket);

/** A Unix socket without a server. Other missing files are faults. */
const isMissingSocket = (error: object): boolean =>
  "code" in error && error.code === "ENOENT" && "syscall" in error && error.syscall === "connect";
