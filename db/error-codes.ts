import { setTimeout } from "node:timers/promises";
import { defineError, errorCodes } from "#server/platform/errors";

const unavailable = defineError<{ readonly code: string }>("DatabaseUnavailable");

/** The database cannot be asked now. Its code stands among those that `isConnectionLost` and `isBroken` look for. */
export const databaseUnavailable = (
  code: "POOL_BUSY" | "DATABASE_SILENT" | "CONNECTION_CLOSED",
  message: string,
): Error => unavailable.create(message, { code });

/** Thrown where every connection of a pool is busy and stays so. */
export const poolBusy = (): Error =>
  databaseUnavailable("POOL_BUSY", "Every connection of the pool is in use.");

/** The code of an error where a pooler does not know a parameter of the address, in place of its own for every refusal. */
export const wrongParameter = "WRONG_PARAMETER";

/** Words of the driver, the system and ours where a connection could not be made, broke, or stayed silent. */
const broken = /^(CONNECTION_|CONNECT_TIMEOUT$|DATABASE_SILENT$|E[A-Z]{2,}|57P0[1-5]$)/;

/** Whether the connection failed, so that nobody knows what became of the statement. */
export const isBroken = (thrown: unknown): boolean =>
  errorCodes(thrown).some((code) => broken.test(code));

/**
 * PostgreSQL ended one of two transactions that stood in each other's way: serialization failure, deadlock, and a check
 * violation, which a row meets that was on its way into a default partition while its own was made.
 */
const conflicts = new Set(["40001", "40P01", "23514"]);

/** Milliseconds before the second try, so that the other transaction takes the locks it waits for and commits; otherwise both meet again. */
const pauseMs = 50;

/** Runs `work` once more if it failed because of a concurrent transaction. `work` must do nothing but through the database. */
export async function retryConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!errorCodes(error).some((code) => conflicts.has(code))) throw error;
    await setTimeout(pauseMs);
    return await work();
  }
}
