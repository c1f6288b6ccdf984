import {
  and,
  asc,
  count,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  not,
  type SQL,
  sql,
} from "drizzle-orm";
import { z } from "zod";
import { findAppState, setAppState } from "#db/app-state";
import type { Database, Queryable } from "#db/client";
import { excludedValues, findNewestTime } from "#db/expressions";
import { items, stocks, stockTicks } from "#db/schema/stocks";
import { columnsOf } from "#db/select";
import type { Sweep } from "#db/sweep";
import type { Item, Stock } from "#server/game/contract/torn";
import { dayMs, secondMs } from "#server/platform/time";

const newest = (on: Queryable): SQL =>
  sql`(${on.select({ at: sql`max(${stocks.at})`.as("newest") }).from(stocks)})`;

/** `keyPool` keeps index plans, even for statements prepared on empty tables. */
const newestTick = (database: Database) =>
  database.statement("newest_tick", ({ keyPool }) =>
    keyPool
      .select({
        stockId: stocks.id,
        ...columnsOf(stocks, [
          "at",
          "price",
          "marketCap",
          "shares",
          "investors",
          "acronym",
          "name",
        ]),
      })
      .from(stocks)
      .where(eq(stocks.at, newest(keyPool)))
      .orderBy(asc(stocks.id))
      .prepare("newest_tick"),
  );

/** Empty before the first complete tick. */
export const listNewestTick = (database: Database) => newestTick(database).execute();

/** Costs one index step. The literal LIMIT avoids replanning at each call. */
function tickBefore(name: string, period: string): SQL {
  const begin = sql`${stocks.at} - ${sql.raw(`interval '${period}'`)}`;
  const isOldEnough = and(eq(stockTicks.stockId, stocks.id), lte(stockTicks.at, begin));
  const newestFirst = desc(stockTicks.at);
  return sql`(select ${stockTicks.price} from ${stockTicks} where ${isOldEnough} order by ${newestFirst} limit 1) as ${sql.identifier(name)}`;
}

const startPrice = (name: string) => sql<number | null>`${sql.identifier(name)}.price`;

const priceSpans = (database: Database) =>
  database.statement("price_spans", ({ keyPool }) =>
    keyPool
      .select({
        stockId: stocks.id,
        price: stocks.price,
        d1: startPrice("d1"),
        d7: startPrice("d7"),
        m1: startPrice("m1"),
      })
      .from(stocks)
      .leftJoinLateral(tickBefore("d1", "1 day"), sql`true`)
      .leftJoinLateral(tickBefore("d7", "7 days"), sql`true`)
      .leftJoinLateral(tickBefore("m1", "30 days"), sql`true`)
      .where(eq(stocks.at, newest(keyPool)))
      .prepare("price_spans"),
  );

/** Compares the newest complete tick with the last tick at or before the start of each period. */
export async function listPriceSpans(database: Database) {
  const rows = await priceSpans(database).execute();
  return rows.map(({ stockId, price, d1, d7, m1 }) => ({ stockId, price, starts: { d1, d7, m1 } }));
}

/** Includes delisted stocks. */
export async function listKnownStocks(on: Queryable) {
  const rows = await on.select().from(stocks).orderBy(asc(stocks.id));
  return rows.map(({ id, missingSince, passive, frequency, requirement, description }) => ({
    stockId: id,
    missingSince,
    bonus: { passive, frequency, requirement, description },
  }));
}

export const findNewestTickTime = (on: Queryable) => findNewestTime(on, stocks.at);

/**
 * `seen` must be sorted by id, for a fixed lock order. An older tick changes nothing, so that a
 * slow writer cannot go back in time.
 */
export async function saveNewestTick(
  tx: Queryable,
  seen: readonly Stock[],
  at: Date,
): Promise<void> {
  await tx
    .insert(stocks)
    .values(seen.map(({ stockId, bonus, ...stock }) => ({ id: stockId, ...stock, ...bonus, at })))
    .onConflictDoUpdate({
      target: stocks.id,
      set: excludedValues(stocks, [
        ...(["name", "acronym", "passive", "frequency", "requirement", "description"] as const),
        ...(["at", "price", "marketCap", "shares", "investors"] as const),
      ]),
      setWhere: lt(stocks.at, at),
    });
}

/** The time of the first miss stays until the stock is seen again. */
export async function noteMissing(
  tx: Queryable,
  missing: readonly number[],
  at: Date,
): Promise<void> {
  const isMissing = inArray(stocks.id, [...missing]);
  await tx
    .update(stocks)
    .set({ missingSince: at })
    .where(and(isMissing, isNull(stocks.missingSince)));
  await tx
    .update(stocks)
    .set({ missingSince: null })
    .where(and(not(isMissing), isNotNull(stocks.missingSince)));
}

/** A statement takes 65,535 parameters, and a tick needs three. */
const ticksAtOnce = 5_000;

/** A stored tick of the same minute stays. */
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

/** The longest mover period, plus a day in which to find the tick before its start. */
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
 * Each price is the last tick at or before its time, found by one index lookup. Times before the
 * first tick have no price.
 * @param span.stockId all stocks if absent
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
  const found = sql`(select ${stockTicks.price} from ${stockTicks} where ${stockTicks.stockId} = ${stocks.id}
    and ${stockTicks.at} <= place.at order by ${stockTicks.at} desc limit 1) as found`;
  return on
    .select({
      stockId: stocks.id,
      at: sql`place.at`.mapWith(stocks.at),
      price: sql<number>`found.price`,
    })
    .from(stocks)
    .crossJoinLateral(
      sql`(select ${ago} as at from generate_series(0, ${steps}::integer) as step) as place`,
    )
    .crossJoinLateral(found)
    .where(
      and(eq(stocks.at, newest(on)), stockId === undefined ? undefined : eq(stocks.id, stockId)),
    )
    .orderBy(asc(stocks.id), sql`place.at`);
}

export async function readHistoryProgress(
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

export async function resetHistoryAsked(tx: Queryable): Promise<void> {
  await tx.update(stocks).set({ historyAskedAt: null }).where(isNotNull(stocks.historyAskedAt));
}

export const findItemsReadAt = (on: Queryable) => findNewestTime(on, items.lastSeen);

export async function saveItems(on: Queryable, seen: readonly Item[], at: Date): Promise<void> {
  if (seen.length === 0) return;
  await on
    .insert(items)
    .values(
      seen.map(({ itemId, marketPrice, ...item }) => ({
        id: itemId,
        ...item,
        lastSeen: at,
        // Average prices may have fractions.
        marketPrice: marketPrice === null ? null : Math.round(marketPrice),
      })),
    )
    .onConflictDoUpdate({
      target: items.id,
      set: excludedValues(items, ["name", "description", "marketPrice", "lastSeen"]),
    });
}

/** `names` are lower-case. Of items with the same name, the item seen last wins. */
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
