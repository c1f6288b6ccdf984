import { PgPreparedQuery } from "drizzle-orm/pg-core";

/** Fields of PostgreSQL's errors and of PGlite's that quote rows and parameters; postgres.js hides its own from what prints them. */
const quotingFields = ["detail", "where", "params"];

/** A failed statement with its text and its cause, and without any value. */
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

/**
 * Replaces the one method through which Drizzle runs statements: its own error has the parameters in its message, and whatever
 * prints that error prints them. Its cache, which the method is there for, is not used.
 */
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
