import { PgPreparedQuery } from "drizzle-orm/pg-core";

/**
 * Error fields of PostgreSQL and PGlite that quote rows and parameters; postgres.js hides its own
 * from printing.
 */
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

/**
 * Replaces the one method through which Drizzle runs statements, because Drizzle's error message
 * contains the parameters. The cache in that method is not used.
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
