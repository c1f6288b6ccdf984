import { setTimeout } from "node:timers/promises";
import { PgPreparedQuery } from "drizzle-orm/pg-core";
import { defineError, errorCodesOf } from "#server/platform/errors";

const unavailable = defineError<{ readonly code: string }>("DatabaseUnavailable");

export const databaseUnavailableError = (
  code: "POOL_BUSY" | "DATABASE_SILENT" | "CONNECTION_CLOSED",
  message: string,
): Error => unavailable.create(message, { code });

export const poolBusyError = (): Error =>
  databaseUnavailableError("POOL_BUSY", "Every connection of the pool is in use.");

/** Replaces the pooler's generic code for a rejected parameter. */
export const wrongParameterCode = "WRONG_PARAMETER";

const broken = /^(CONNECTION_|CONNECT_TIMEOUT$|DATABASE_SILENT$|E[A-Z]{2,}|57P0[1-5]$)/;

/** True if the connection failed, so the statement's outcome is unknown. */
export const isConnectionFailure = (thrown: unknown): boolean =>
  errorCodesOf(thrown).some((code) => broken.test(code));

/** Serialization failure, deadlock, and a row for a partition that was made meanwhile. */
const conflicts = new Set(["40001", "40P01", "23514"]);

const pauseMs = 50;

/** `work` may run twice, so it must change only the database. */
export async function retryConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!errorCodesOf(error).some((code) => conflicts.has(code))) throw error;
    await setTimeout(pauseMs);
    return await work();
  }
}

/** These error fields quote rows and parameters. */
const quotingFields = ["detail", "where", "params"];

function failedQuery(query: string, cause: unknown): Error {
  if (cause instanceof Error)
    for (const field of quotingFields) Reflect.deleteProperty(cause, field);
  return Object.assign(new Error("A query failed.", { cause }), { name: "FailedQuery", query });
}

interface Runs {
  queryWithCache<Result>(
    query: string,
    parameters: unknown,
    run: () => Promise<Result>,
  ): Promise<Result>;
}

/** Replaces Drizzle's method, because its error message contains the parameters. */
export function keepParametersOutOfErrors(): void {
  (PgPreparedQuery.prototype as unknown as Runs).queryWithCache = async (
    query,
    _parameters,
    run,
  ) => {
    try {
      return await run();
    } catch (cause) {
      throw failedQuery(query, cause);
    }
  };
}
