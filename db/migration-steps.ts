import { setTimeout as wait } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { errorCodes } from "#server/platform/errors";
import { startFault } from "#server/platform/start-fault";
import { minuteMs, secondMs } from "#server/platform/time";
import type { Access } from "./client";

/** Milliseconds that a statement waits for its lock. Calls that come after it wait behind it, so it lets go soon. */
const lockTimeout = 300;
/** Between two tries calls get through. */
const pauses = { least: secondMs / 2, most: 4 * secondMs };
/** For how long a statement is tried again. */
const triedFor = 10 * minuteMs;

const lockNotAvailable = "55P03";

/** Runs statements in one transaction, which is tried again while others hold the locks that it needs. */
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

/** Runs statements one by one, each committed by itself. */
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

/** Building an index beside calls waits for older transactions and keeps nobody waiting meanwhile. */
async function waitAsLongAsItTakes({ query }: Access, statement: string): Promise<void> {
  await query.execute(sql`set lock_timeout = 0`);
  await query.execute(sql.raw(statement));
}

/** What a process left behind that died while it built the index is not used by any query, and is built again. */
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

/** Pages of the table that one statement looks at: some thousand rows, which are locked for some ten milliseconds. */
const pagesAtOnce = 64;

/**
 * Runs a statement that changes the rows from `:from` up to but not including `:to` for all pages that the table has now. After
 * each part it rests as long as that took: the database belongs to the calls. Rows that come later are not its business.
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
