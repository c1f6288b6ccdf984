import { setTimeout } from "node:timers/promises";
import { defineError, errorCodes } from "#server/platform/errors";

const unavailable = defineError<{ readonly code: string }>("DatabaseUnavailable");

export const databaseUnavailable = (
  code: "POOL_BUSY" | "DATABASE_SILENT" | "CONNECTION_CLOSED",
  message: string,
): Error => unavailable.create(message, { code });

export const poolBusy = (): Error =>
  databaseUnavailable("POOL_BUSY", "Every connection of the pool is in use.");

/** Replaces the pooler's generic code if it rejects a parameter of the address. */
export const wrongParameter = "WRONG_PARAMETER";

/** Codes of the driver, the system and this module for failed, broken or silent connections. */
const broken = /^(CONNECTION_|CONNECT_TIMEOUT$|DATABASE_SILENT$|E[A-Z]{2,}|57P0[1-5]$)/;

/** True if the connection failed, so the outcome is unknown. */
export const isBroken = (thrown: unknown): boolean =>
  errorCodes(thrown).some((code) => broken.test(code));

/**
 * Conflicts between transactions: serialization failure, deadlock, and the check violation of a row
 * routed to a default partition while its own partition was made.
 */
const conflicts = new Set(["40001", "40P01", "23514"]);

/** Milliseconds before the retry, so that the other transaction can commit. */
const pauseMs = 50;

/** Retries once after a conflict. `work` must have no effect outside of the database. */
export async function retryConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!errorCodes(error).some((code) => conflicts.has(code))) throw error;
    await setTimeout(pauseMs);
    return await work();
  }
}
