import { setTimeout as wait } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { errorCodes } from "#server/platform/errors";
import { startFault } from "#server/platform/start-fault";
import { minuteMs, secondMs } from "#server/platform/time";
import type { Access } from "./client";

/** Milliseconds. Later calls queue behind a waiting statement, so it lets go soon. */
const lockTimeout = 300;
/** Calls get through between two tries. */
const pauses = { least: secondMs / 2, most: 4 * secondMs };
/** Limit of all retries of a statement. */
const triedFor = 10 * minuteMs;

const lockNotAvailable = "55P03";

/** One transaction, retried while other sessions hold its locks. */
export async function runTogether(
  held: Access,
  { tag, statements }: { readonly tag: string; readonly statements: readonly SQL[] },
): Promise<void> {
  await untilUnlocked(tag, () =>
    held.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local lock_timeout = ${lockTimeout}`));
      for (const statement of statements) await tx.execute(statement);
    }),
  );
}

export async function runStatements(
  held: Access,
  { tag, statements }: { readonly tag: string; readonly statements: readonly string[] },
): Promise<void> {
  for (const statement of statements) {
    const table = /^-- by pages of (\w+)$/m.exec(statement)?.[1];
    const index = /^create (?:unique )?index concurrently if not exists "?(\w+)"?/im.exec(
      statement,
    )?.[1];
    const drops = /^drop index concurrently/im.test(statement);
    if (table) await runByPages(held, { tag, table, statement });
    else if (index) await buildIndex(held, { index, statement });
    else if (drops) await waitAsLongAsItTakes(held, statement);
    else await runTogether(held, { tag, statements: [sql.raw(statement)] });
  }
}

/** A concurrent index build waits for older transactions without blocking calls. */
async function waitAsLongAsItTakes({ query }: Access, statement: string): Promise<void> {
  await query.execute(sql`set lock_timeout = 0`);
  await query.execute(sql.raw(statement));
}

/** An invalid index of a crashed build is dropped and built again. */
async function buildIndex(
  held: Access,
  { index, statement }: { index: string; statement: string },
): Promise<void> {
  const [unfinished] = await held.query
    .select({ one: sql`1` })
    .from(sql`pg_index`)
    .where(sql`indexrelid = to_regclass(${`"${index}"`}) and not indisvalid`);
  if (unfinished) await waitAsLongAsItTakes(held, `drop index concurrently "${index}"`);
  await waitAsLongAsItTakes(held, statement);
}

/** Pages per statement: some thousand rows, locked for some ten milliseconds. */
const pagesAtOnce = 64;

/**
 * Runs a statement over rows from `:from` up to but excluding `:to`, part by part over the table's
 * current pages. After each part it rests for as long as that part took.
 */
async function runByPages(
  held: Access,
  { tag, table, statement }: { tag: string; table: string; statement: string },
): Promise<void> {
  const [size] = await held.query
    .select({
      pages:
        sql`pg_relation_size(${table}::regclass) / current_setting('block_size')::bigint`.mapWith(
          Number,
        ),
    })
    .from(sql`(select) as one`);
  for (let from = 0; from < (size?.pages ?? 0); from += pagesAtOnce) {
    const [first, last] = [`'(${from},0)'::tid`, `'(${from + pagesAtOnce},0)'::tid`];
    const begun = performance.now();
    await runTogether(held, {
      tag,
      statements: [sql.raw(statement.replace(/:from\b/g, first).replace(/:to\b/g, last))],
    });
    await wait(performance.now() - begun);
  }
}

async function untilUnlocked(tag: string, work: () => Promise<void>): Promise<void> {
  const end = performance.now() + triedFor;
  for (let pause = pauses.least; ; pause = Math.min(2 * pause, pauses.most)) {
    try {
      return await work();
    } catch (error) {
      if (!errorCodes(error).includes(lockNotAvailable)) throw error;
      if (performance.now() > end)
        throw startFault(
          "MigrationBlocked",
          `Migration ${tag} waits for a lock that another session of the database has held for ten minutes. Look for an old transaction in pg_stat_activity, end it, and start again.`,
        );
      await wait(pause);
    }
  }
}
