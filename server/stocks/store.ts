import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { z } from "zod";
import { findAppState, setAppState } from "#db/app-state";
import type { Database, Queryable } from "#db/client";
import { excluded, newestOf } from "#db/expressions";
import { items, stockLatest, stocks, stockTicks } from "#db/schema/stocks";
import { columnsOf } from "#db/select";
import type { Sweep } from "#db/sweep";
import type { Item, Stock } from "#server/game/contract/torn";
import { dayMs, secondMs } from "#server/platform/time";

/** Unchanged rows are rewritten this rarely, to avoid bloat. */
const seenAgainAfter = sql`interval '1 hour'`;

const newest = (on: Queryable): SQL =>
  sql`(${on.select({ at: sql`max(${stockLatest.at})`.as("newest") }).from(stockLatest)})`;

/** The prepared pool keeps index plans, even for statements prepared on empty tables. */
const newestTick = (database: Database) =>
  database.statement("newest_tick", ({ keyPool }) =>
    keyPool
      .select({
        ...getTableColumns(stockLatest),
        ...columnsOf(stocks, ["acronym", "name"]),
      })
      .from(stockLatest)
      .innerJoin(stocks, eq(stocks.id, stockLatest.stockId))
      .where(eq(stockLatest.at, newest(keyPool)))
      .orderBy(asc(stockLatest.stockId))
      .prepare("newest_tick"),
  );

/** Newest complete tick, ordered by id; empty before the first. */
export const listNewestTick = (database: Database) => newestTick(database).execute();

/** By one index step. The literal limit avoids replanning per call. */
function tickBefore(name: string, period: string): SQL {
  const begin = sql`${stockLatest.at} - ${sql.raw(`interval '${period}'`)}`;
  const isOldEnough = and(eq(stockTicks.stockId, stockLatest.stockId), lte(stockTicks.at, begin));
  const newestFirst = desc(stockTicks.at);
  return sql`(select ${stockTicks.price} from ${stockTicks} where ${isOldEnough} order by ${newestFirst} limit 1) as ${sql.identifier(name)}`;
}

const startPrice = (name: string) => sql<number | null>`${sql.identifier(name)}.price`;

const priceSpans = (database: Database) =>
  database.statement("price_spans", ({ keyPool }) =>
    keyPool
      .select({
        stockId: stockLatest.stockId,
        price: stockLatest.price,
        d1: startPrice("d1"),
        d7: startPrice("d7"),
        m1: startPrice("m1"),
      })
      .from(stockLatest)
      .leftJoinLateral(tickBefore("d1", "1 day"), sql`true`)
      .leftJoinLateral(tickBefore("d7", "7 days"), sql`true`)
      .leftJoinLateral(tickBefore("m1", "30 days"), sql`true`)
      .where(eq(stockLatest.at, newest(keyPool)))
      .prepare("price_spans"),
  );

/** The newest complete tick against the last tick at or before each period's start. */
export async function listPriceSpans(database: Database) {
  const rows = await priceSpans(database).execute();
  return rows.map(({ stockId, price, d1, d7, m1 }) => ({ stockId, price, starts: { d1, d7, m1 } }));
}

/** Delisted stocks included, ordered by id. */
export async function listKnownStocks(on: Queryable) {
  const rows = await on.select().from(stocks).orderBy(asc(stocks.id));
  return rows.map(({ id, missingSince, passive, frequency, requirement, description }) => ({
    stockId: id,
    missingSince,
    bonus: { passive, frequency, requirement, description },
  }));
}

export const findNewestTick = (on: Queryable) => newestOf(on, stockLatest.at);

/** Fixed lock order by id. */
export async function saveStocks(tx: Queryable, seen: readonly Stock[], at: Date): Promise<void> {
  const rows = seen.map(({ stockId, name, acronym, bonus }) => ({
    id: stockId,
    name,
    acronym,
    ...bonus,
    lastSeen: at,
  }));
  const said = sql`(${stocks.name}, ${stocks.acronym}, ${stocks.passive}, ${stocks.frequency}, ${stocks.requirement}, ${stocks.description})`;
  const say = sql`(excluded.name, excluded.acronym, excluded.passive, excluded.frequency, excluded.requirement, excluded.description)`;
  await tx
    .insert(stocks)
    .values(rows)
    .onConflictDoUpdate({
      target: stocks.id,
      set: {
        ...excluded(stocks, [
          "name",
          "acronym",
          "passive",
          "frequency",
          "requirement",
          "description",
          "lastSeen",
        ]),
        missingSince: null,
      },
      setWhere: or(
        isNotNull(stocks.missingSince),
        sql`${said} is distinct from ${say}`,
        sql`${stocks.lastSeen} <= excluded.last_seen - ${seenAgainAfter}`,
      ),
    });
}

/** Keeps the time of the first miss. */
export async function noteMissing(
  tx: Queryable,
  stockIds: readonly number[],
  at: Date,
): Promise<void> {
  if (stockIds.length === 0) return;
  await tx
    .update(stocks)
    .set({ missingSince: at })
    .where(and(inArray(stocks.id, [...stockIds]), isNull(stocks.missingSince)));
}

/** A statement takes 65,535 parameters, and a tick needs three. */
const ticksAtOnce = 5_000;

/** Keeps stored ticks of the same minute. */
export async function insertTicks(
  tx: Queryable,
  ticks: readonly (typeof stockTicks.$inferInsert)[],
): Promise<void> {
  for (let from = 0; from < ticks.length; from += ticksAtOnce)
    await tx
      .insert(stockTicks)
      .values(ticks.slice(from, from + ticksAtOnce))
      .onConflictDoNothing();
}

/**
 * Older ticks change nothing, so that a slow writer cannot go back in time; stocks missing in the
 * tick are removed.
 */
export async function replaceNewestTick(
  tx: Queryable,
  seen: readonly Omit<typeof stockLatest.$inferInsert, "at">[],
  at: Date,
): Promise<void> {
  await tx
    .insert(stockLatest)
    .values(seen.map((stock) => ({ ...stock, at })))
    .onConflictDoUpdate({
      target: stockLatest.stockId,
      set: excluded(stockLatest, ["at", "price", "marketCap", "shares", "investors"]),
      setWhere: sql`${stockLatest.at} < excluded.at`,
    });
  await tx.delete(stockLatest).where(lt(stockLatest.at, at));
}

/** The longest mover period, and a day to find the tick before its start. */
export const tickRetention = 31 * dayMs;

export const stockSweeps: readonly Sweep[] = [
  {
    table: stockTicks,
    column: stockTicks.at,
    keep: tickRetention / secondMs,
    where: sql`${stockTicks.stockId} = any(array(select ${stocks.id} from ${stocks}))`,
  },
];

/**
 * At even intervals, each of the last tick at or before, by one index lookup. Points before the
 * first tick are missing.
 * @param span.stockId all, if absent
 */
export async function listPriceSeries(
  on: Queryable,
  {
    stockId,
    until,
    stepMs,
    steps,
  }: { stockId?: number; until: Date; stepMs: number; steps: number },
): Promise<{ readonly stockId: number; readonly at: Date; readonly price: number }[]> {
  const ago = sql`${until.toISOString()}::timestamptz - step * ${stepMs / secondMs} * interval '1 second'`;
  const found = sql`(select ${stockTicks.price} from ${stockTicks} where ${stockTicks.stockId} = ${stockLatest.stockId}
    and ${stockTicks.at} <= place.at order by ${stockTicks.at} desc limit 1) as found`;
  return on
    .select({
      stockId: stockLatest.stockId,
      at: sql`place.at`.mapWith(stockLatest.at),
      price: sql<number>`found.price`,
    })
    .from(stockLatest)
    .crossJoinLateral(
      sql`(select ${ago} as at from generate_series(0, ${steps}::integer) as step) as place`,
    )
    .crossJoinLateral(found)
    .where(stockId === undefined ? undefined : eq(stockLatest.stockId, stockId))
    .orderBy(asc(stockLatest.stockId), sql`place.at`);
}

export async function countHistories(
  on: Queryable,
): Promise<{ readonly stocks: number; readonly asked: number }> {
  const [row] = await on
    .select({ stocks: count(), asked: count(stocks.historyAskedAt) })
    .from(stocks)
    .where(isNull(stocks.missingSince));
  return row ?? { stocks: 0, asked: 0 };
}

export async function listStocksWithoutHistory(on: Queryable, limit: number): Promise<number[]> {
  const rows = await on
    .select({ id: stocks.id })
    .from(stocks)
    .where(and(isNull(stocks.historyAskedAt), isNull(stocks.missingSince)))
    .orderBy(asc(stocks.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

export async function markHistoryAsked(tx: Queryable, stockId: number, at: Date): Promise<void> {
  await tx.update(stocks).set({ historyAskedAt: at }).where(eq(stocks.id, stockId));
}

export async function forgetHistory(tx: Queryable): Promise<void> {
  await tx.update(stocks).set({ historyAskedAt: null }).where(isNotNull(stocks.historyAskedAt));
}

export const findItemsRead = (on: Queryable) => newestOf(on, items.lastSeen);

export async function saveItems(on: Queryable, seen: readonly Item[], at: Date): Promise<void> {
  if (seen.length === 0) return;
  await on
    .insert(items)
    .values(
      seen.map(({ itemId, marketPrice, ...item }) => ({
        id: itemId,
        ...item,
        lastSeen: at,
        // Averages may have fractions.
        marketPrice: marketPrice === null ? null : Math.round(marketPrice),
      })),
    )
    .onConflictDoUpdate({
      target: items.id,
      set: excluded(items, ["name", "description", "marketPrice", "lastSeen"]),
    });
}

/** Lower-case names. Of duplicates the one seen last wins. */
export async function findItemsByName(
  on: Queryable,
  names: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  if (names.length === 0) return new Map();
  const lower = sql<string>`lower(${items.name})`;
  const rows = await on
    .select()
    .from(items)
    .where(inArray(lower, [...names]))
    .orderBy(items.lastSeen);
  return new Map(
    rows.map(({ id, name, description, marketPrice }) => [
      name.toLowerCase(),
      { itemId: id, name, description, marketPrice },
    ]),
  );
}

const pointsPrice = "points-price";
const StoredPrice = z.object({ price: z.number(), at: z.coerce.date() });

export async function findPointsPrice(
  on: Queryable,
): Promise<z.output<typeof StoredPrice> | undefined> {
  const stored = await findAppState(on, pointsPrice);
  return stored === undefined ? undefined : StoredPrice.parse(JSON.parse(stored));
}

export const savePointsPrice = (on: Queryable, price: number, at: Date): Promise<void> =>
  setAppState(on, pointsPrice, JSON.stringify({ price, at }));
