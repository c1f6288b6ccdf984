import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client";

/** Takes the locks in an open transaction. @returns a function that ends it */
export async function holdLocks(
  { transaction }: Pick<Database, "transaction">,
  locks: SQL,
): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let holding = Promise.resolve();
  await new Promise<void>((taken, failed) => {
    holding = transaction(async (tx) => {
      await tx.execute(locks);
      taken();
      await released;
    });
    holding.catch(failed);
  });
  return () => {
    release();
    return holding;
  };
}

export async function waitingFor({ query }: Pick<Database, "query">, lock: SQL): Promise<number> {
  const rows = await query.execute(
    sql`select count(*)::int as waiting from pg_locks where not granted and ${lock}`,
  );
  return z
    .tuple([z.object({ waiting: z.int() })])
    .parse([...(rows as unknown as Iterable<unknown>)])[0].waiting;
}
