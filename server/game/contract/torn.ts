import { z } from "zod";
import { count, id, instant } from "./fields";

const CrimeType = z
  .object({
    name: z.string().min(1),
    description: z.string(),
    difficulty: z.int().min(1),
    slots: z.array(z.object({ name: z.string() })),
  })
  .transform(({ name, description, difficulty, slots }) => ({
    name,
    description,
    difficulty,
    slots: slots.map((slot) => slot.name),
  }));

/** `torn/organizedcrimes`: the kinds of organized crime that exist. */
export const OrganizedCrimeTypes = z
  .object({ organizedcrimes: z.array(CrimeType) })
  .transform(({ organizedcrimes }) => organizedcrimes);
export type OrganizedCrimeType = z.output<typeof OrganizedCrimeTypes>[number];

const StockRow = z
  .object({
    id,
    name: z.string().min(1),
    acronym: z.string().min(1),
    market: z.object({ price: z.number().positive(), cap: count, shares: count, investors: count }),
    bonus: z.object({
      passive: z.boolean(),
      frequency: count.nullish(),
      requirement: count,
      description: z.string(),
    }),
  })
  .transform(({ id, name, acronym, market, bonus }) => ({
    stockId: id,
    name,
    acronym,
    price: market.price,
    marketCap: market.cap,
    shares: market.shares,
    investors: market.investors,
    bonus: {
      passive: bonus.passive,
      /** Days between two payments; null for a perk that lasts. */
      frequency: bonus.frequency || null,
      /** Shares that must be held. */
      requirement: bonus.requirement,
      description: bonus.description,
    },
  }));

/** `torn/stocks` */
export const Stocks = z.object({ stocks: z.array(StockRow) }).transform(({ stocks }) => stocks);
export type Stock = z.output<typeof Stocks>[number];

const ChartPoint = z
  .object({ timestamp: instant, price: z.number().nonnegative() })
  .transform(({ timestamp, price }) => ({ at: timestamp, price }));

/** `torn/{stockId}/stocks`: the points of the stock's chart, at whatever distance the game draws them. */
export const StockHistory = z
  .object({ stocks: z.object({ chart: z.object({ history: z.array(ChartPoint) }) }) })
  .transform(({ stocks }) => stocks.chart.history);
export type StockHistory = z.output<typeof StockHistory>;

const ItemRow = z
  .object({
    id,
    name: z.string().min(1),
    description: z.string(),
    value: z.object({ market_price: z.number().nonnegative().nullish() }).nullish(),
  })
  .transform(({ id, name, description, value }) => ({
    itemId: id,
    name,
    description,
    /** What nobody offers has no price, which is not the same as a price of 0. */
    marketPrice: value?.market_price || null,
  }));

/** `torn/items` */
export const Items = z.object({ items: z.array(ItemRow) }).transform(({ items }) => items);
export type Item = z.output<typeof Items>[number];

const Offer = z.object({ cost: z.number().positive() });

/** `market/pointsmarket`: the lowest price that a point is offered for, or null where nobody offers one. */
export const PointsMarket = z
  .object({ pointsmarket: z.union([z.array(Offer), z.record(z.string(), Offer)]) })
  .transform(({ pointsmarket }) => {
    const costs = Object.values(pointsmarket).map(({ cost }) => cost);
    return costs.length === 0 ? null : Math.min(...costs);
  });
