import { sql } from "drizzle-orm";
import { z } from "zod";
import { type Database, openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { openPgliteInMemory } from "#db/pglite";
import { sweepBatch } from "#db/sweep";
import {
  insertTicks,
  listNewestTick,
  listPriceSpans,
  saveNewestTick,
  stockSweeps,
} from "#server/stocks/store";
import { startPostgres } from "#server/testing/postgres";
import { fillStocks } from "./fill-stocks";
import { quantile, spentBy } from "./timed";

/*
 * How fast the stock market is read with a month of ticks: `npx tsx --tsconfig bench/tsconfig.json bench/scale/stocks.ts`. The statements are the product's
 * own. The goal is 2 ms at the 95th percentile for movers and for the newest tick on PostgreSQL, judged by its processor time.
 */

const goalMilliseconds = 2;
const rounds = 1_000;
const now = new Date();
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Measured {
  readonly elapsed: readonly number[];
  /** What the database's process spent, which a busy machine hardly moves; as elapsed where it is this process. */
  readonly processor: readonly number[];
}

async function measure(
  run: () => Promise<unknown>,
  backend: number | undefined,
): Promise<Measured> {
  for (let warm = 0; warm < 20; warm++) await run();
  const [elapsed, processor]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const [started, spent] = [performance.now(), backend && spentBy(backend)];
    await run();
    elapsed.push(performance.now() - started);
    if (backend && spent) processor.push(spentBy(backend) - spent);
  }
  return { elapsed, processor };
}

const figures = (times: readonly number[]) =>
  [0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(2)).join(" / ");

const bonus = { passive: false, frequency: 7, requirement: 1_000_000, description: "$50,000,000" };

/** A tick of a minute to come, stored as the job does. */
function nextTicks(database: Database): () => Promise<void> {
  let minutes = 0;
  return async () => {
    const at = new Date(Math.floor(now.getTime() / 60_000) * 60_000 + ++minutes * 60_000);
    const quotes = (await listNewestTick(database)).map((quote) => ({
      ...{ ...quote, bonus },
      price: quote.price * 1.0001,
    }));
    await database.transaction(async (tx) => {
      await insertTicks(
        tx,
        quotes.map(({ stockId, price }) => ({ stockId, price, at })),
      );
      await saveNewestTick(tx, quotes, at);
    });
  };
}

async function bench(database: Database): Promise<boolean> {
  const title = database.kind === "postgres" ? "PostgreSQL" : "PGlite";
  // Read before there is anything, as a new installation does: what is prepared now must still serve in a month.
  for (let early = 0; early < 10; early++)
    await Promise.all([listNewestTick(database), listPriceSpans(database)]);
  await fillStocks(database, now);
  const reads = {
    "newest tick": () => listNewestTick(database),
    movers: () => listPriceSpans(database),
  };
  const backend = database.kind === "postgres" ? await lookupBackend(database) : undefined;
  let met = true;
  for (const [what, read] of Object.entries(reads)) {
    const { elapsed, processor } = await measure(read, backend);
    if (backend && quantile(processor, 0.95) > goalMilliseconds) met = false;
    const spent = backend ? `, of the database's processor time ${figures(processor)} ms` : "";
    print(`${title}, ${what}: p50 / p95 / most ${figures(elapsed)} ms${spent}`);
  }
  print(
    `${title}, a tick stored: p50 / p95 / most ${figures((await measure(nextTicks(database), undefined)).elapsed)} ms`,
  );
  if (backend) await explain(database);
  await sweep(database, title);
  return met;
}

/** Two days of ticks became too old: how long the batches take that remove them. */
async function sweep(database: Database, title: string): Promise<void> {
  const then = new Date(now.getTime() + 2 * 86_400_000);
  const [ticks] = stockSweeps;
  if (!ticks) throw new Error("The ticks are not swept.");
  let [rows, longest, batches, removed] = [0, 0, 0, 0];
  do {
    const started = performance.now();
    removed = await sweepBatch(database.query, ticks, then);
    longest = Math.max(longest, performance.now() - started);
    rows += removed;
    batches++;
  } while (removed > 0);
  print(
    `${title}, sweep: ${rows} ticks in ${batches} batches, the longest ${longest.toFixed(1)} ms`,
  );
}

/** The process that answers point lookups, on their one connection. */
async function lookupBackend(database: Database): Promise<number> {
  const answer = await database.keyPool.execute(sql`select pg_backend_pid() as pid`);
  const [row] = z
    .array(z.object({ pid: z.int() }))
    .parse([...(answer as unknown as Iterable<unknown>)]);
  if (!row) throw new Error("PostgreSQL did not say which process answers.");
  return row.pid;
}

interface Prepared {
  getQuery(): { sql: string };
}

/** Shows how PostgreSQL finds the starts of periods, with the product's own statement: one step in the index for each. */
async function explain(database: Database): Promise<void> {
  const seen: string[] = [];
  const listening: Database = {
    ...database,
    statement: <S>(_name: string, build: (on: Database) => S): S => {
      seen.push((build(database) as S & Prepared).getQuery().sql);
      return { execute: async () => [] } as S;
    },
  };
  await listPriceSpans(listening);
  const plan = await database.keyPool.execute(
    sql.raw(`explain (analyze, costs off, summary on) ${seen[0]}`),
  );
  for (const row of plan as unknown as Iterable<Record<string, string>>)
    print(`  ${Object.values(row)[0]}`);
}

const postgres = await startPostgres();
const database = openPostgres({ url: postgres.url("postgres"), deadline: 3_600_000 });
let met = false;
try {
  await migrate(database);
  met = await bench(database);
} finally {
  await database.close();
  await postgres.stop();
}
const embedded = await openPgliteInMemory();
await migrate(embedded);
await bench(embedded);
await embedded.close();
process.exitCode = met ? 0 : 1;
