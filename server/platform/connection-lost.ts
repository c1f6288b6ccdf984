import { causesOf, errorCodes } from "./errors";

/** Codes of postgres.js, our pool and the system for a server that cannot be reached, closed the connection, or is busy. */
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
 * PostgreSQL's own classes (appendix A): 08 connection exception, 53 insufficient resources, 57P0x shutdown or starting up,
 * 57014 statement timeout, 25006 a standby that was not promoted yet, 25P03 a transaction that stood still; 40001 and 40P01:
 * other transactions stood in the way, twice.
 */
const serverCode = /^(?:08...|53...|57P0[1-5]|57014|25006|25P03|40001|40P01)$/;

/**
 * Whether something thrown means that the database is not there, or not now: a later try may work, and nothing is
 * wrong with the query. The drivers' errors are looked for along the chain of causes.
 */
export const isConnectionLost = (thrown: unknown): boolean =>
  errorCodes(thrown).some((code) => driverCodes.has(code) || serverCode.test(code)) ||
  causesOf(thrown).some(isMissingSocket);

/** A Unix socket that no server listens on. A missing file of another kind is a fault. */
const isMissingSocket = (error: object): boolean =>
  "code" in error && error.code === "ENOENT" && "syscall" in error && error.syscall === "connect";
