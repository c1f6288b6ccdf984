import {
  and,
  asc,
  desc,
  eq,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { excluded } from "#db/excluded";
import { stockLatest, stocks, stockTicks } from "#db/schema/stocks";
import type { Sweep } from "#db/sweep";
import { dayMs, secondMs } from "#server/platform/time";
import type { PriceSpan } from "./rank-movers";

/** A stock as far as it matters for whether an answer is whole. */
export interface KnownStock {
  readonly stockId: number;
  /** Since when answers lack it; null while they have it. */
  readonly missingSince: Date | null;
}

/** What the holders of a stock get. */
export interface Bonus {
  readonly passive: boolean;
  /** Days between two payments; null for a perk. */
  readonly frequency: number | null;
  /** Shares that must be held. */
  readonly requirement: number;
  readonly description: string;
}

/** A stock at one minute. */
export interface Quote {
  readonly stockId: number;
  readonly price: number;
  readonly marketCap: number;
  readonly shares: number;
  readonly investors: number;
}

/** A stock as an answer of the game shows it. */
export interface SeenStock extends Quote {
  readonly name: string;
  readonly acronym: string;
  readonly bonus: Bonus;
}

/** A row that says the same is written again so seldom that the table does not grow by being rewritten. */
const seenAgainAfter = sql`interval '1 hour'`;

const newest = (on: Queryable): SQL =>
  sql`(${on.select({ at: sql`max(${stockLatest.at})`.as("newest") }).from(stockLatest)})`;

/** Statements run on the pool whose plans go by index, however empty the tables were when they were prepared. */
const newestTick = (database: Database) =>
  database.statement("newest_tick", ({ keyPool }) =>
    keyPool
      .select({
        stockId: stockLatest.stockId,
        at: stockLatest.at,
        price: stockLatest.price,
        marketCap: stockLatest.marketCap,
        shares: stockLatest.shares,
        investors: stockLatest.investors,
        acronym: stocks.acronym,
      })
      .from(stockLatest)
      .innerJoin(stocks, eq(stocks.id, stockLatest.stockId))
      .where(eq(stockLatest.at, newest(keyPool)))
      .orderBy(asc(stockLatest.stockId))
      .prepare("newest_tick"),
  );

/** All stocks at the newest complete tick, by id; empty before the first. */
export const listNewestTick = (
  database: Database,
): Promise<(Quote & { at: Date; acronym: string })[]> => newestTick(database).execute();

/**
 * The newest tick of a stock that is at least so old: one step in the index, however many ticks there are. The limit is
 * written out: with a parameter PostgreSQL would plan the statement again each time.
 */
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

/** What each stock costs at the newest complete tick, and what it cost at the last tick at or before the start of each period. */
export async function listPriceSpans(database: Database): Promise<PriceSpan[]> {
  const rows = await priceSpans(database).execute();
  return rows.map(({ stockId, price, d1, d7, m1 }) => ({ stockId, price, starts: { d1, d7, m1 } }));
}

/** All stocks that the game ever listed, by id. */
export async function listKnownStocks(on: Queryable): Promise<(KnownStock & { bonus: Bonus })[]> {
  const rows = await on.select().from(stocks).orderBy(asc(stocks.id));
  return rows.map(({ id, missingSince, passive, frequency, requirement, description }) => ({
    stockId: id,
    missingSince,
    bonus: { passive, frequency, requirement, description },
  }));
}

/** When the newest complete tick was; null before the first. */
export async function findNewestTick(on: Queryable): Promise<Date | null> {
  const [row] = await on.select({ at: max(stockLatest.at) }).from(stockLatest);
  return row?.at ?? null;
}

/** Keeps what never changes about the stocks, or seldom: they are all there. In order of id, so that two writers wait in turn. */
export async function saveStocks(
  tx: Queryable,
  seen: readonly SeenStock[],
  at: Date,
): Promise<void> {
  if (seen.length === 0) return;
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

/** Notes since when answers lack these stocks. */
export async function noteMissing(
  tx: Queryable,
  stockIds: readonly number[],
  at: Date,
): Promise<void> {
  if (stockIds.length === 0) return;
  await tx
    .update(stocks)
    .set({ missingSince: at })
    .where(and(sql`${stocks.id} in ${stockIds}`, isNull(stocks.missingSince)));
}

/** Adds a tick to the history. What is stored of this minute already stays as it is. */
export async function insertTicks(
  tx: Queryable,
  quotes: readonly Quote[],
  at: Date,
): Promise<void> {
  if (quotes.length === 0) return;
  const rows = quotes.map(({ stockId, price, marketCap, shares, investors }) => {
    return { stockId, at, price, marketCap, shares, investors };
  });
  await tx.insert(stockTicks).values(rows).onConflictDoNothing();
}

/**
 * Makes a complete tick the newest. One that is older than what stands there changes nothing, so that a slow writer cannot
 * turn the clock back; stocks that the tick does not have go.
 */
export async function replaceNewestTick(
  tx: Queryable,
  quotes: readonly Quote[],
  at: Date,
): Promise<void> {
  const rows = quotes.map(({ stockId, price, marketCap, shares, investors }) => {
    return { stockId, at, price, marketCap, shares, investors };
  });
  await tx
    .insert(stockLatest)
    .values(rows)
    .onConflictDoUpdate({
      target: stockLatest.stockId,
      set: {
        at: sql`excluded.at`,
        price: sql`excluded.price`,
        marketCap: sql`excluded.market_cap`,
        shares: sql`excluded.shares`,
        investors: sql`excluded.investors`,
      },
      setWhere: sql`${stockLatest.at} < excluded.at`,
    });
  await tx.delete(stockLatest).where(lt(stockLatest.at, at));
}

/** How long ticks are kept: the longest period of movers, and a day in which a tick at or before its start is found. */
export const tickRetention = 31 * dayMs;

export const stockSweeps: readonly Sweep[] = [
  {
    table: stockTicks,
    column: stockTicks.at,
    keep: tickRetention / secondMs,
    // The index leads with the stock.
    where: sql`${stockTicks.stockId} = any(array(select ${stocks.id} from ${stocks}))`,
  },
];
