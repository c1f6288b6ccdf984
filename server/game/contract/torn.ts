import { z } from "zod";
import { count, decodedText, id, instant, smallCount } from "./fields";
import { listAnswerSchema, rowsSchemaOf } from "./rows";

/** May have cents; whole money must be exact. */
const money = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

const CrimeType = z.object({ name: z.string().min(1), difficulty: smallCount.min(1) });

export const OrganizedCrimeTypes = listAnswerSchema("organizedcrimes", CrimeType);
export type OrganizedCrimeType = z.output<typeof CrimeType>;

const StockRow = z
  .object({
    id,
    name: decodedText,
    acronym: decodedText,
    market: z.object({ price: money.positive(), cap: count, shares: count, investors: smallCount }),
    bonus: z.object({
      passive: z.boolean(),
      /** The game may send a non-number. */
      frequency: smallCount.nullish().catch(null),
      requirement: count,
      description: decodedText,
    }),
  })
  .transform(({ id, market, bonus, ...stock }) => ({
    stockId: id,
    ...stock,
    price: market.price,
    marketCap: market.cap,
    shares: market.shares,
    investors: market.investors,
    bonus: {
      passive: bonus.passive,
      /** Days between payments; null for a passive benefit, for which the game says 7. */
      frequency: bonus.passive ? null : bonus.frequency || null,
      requirement: bonus.requirement,
      description: bonus.description,
    },
  }));

export const Stocks = listAnswerSchema("stocks", StockRow);
export type Stock = z.output<typeof StockRow>;

const ChartPoint = z
  .object({ timestamp: instant, price: money })
  .transform(({ timestamp, price }) => ({ at: timestamp, price }));

/** Chart points at irregular intervals. */
export const StockHistory = z
  .object({ stocks: z.object({ chart: z.object({ history: rowsSchemaOf(ChartPoint) }) }) })
  .transform(({ stocks }) => stocks.chart.history);
export type StockHistory = z.output<typeof StockHistory>;

const ItemRow = z
  .object({
    id,
    name: decodedText,
    description: decodedText,
    value: z.object({ market_price: money.nullish() }).nullish(),
  })
  .transform(({ id, value, ...item }) => ({
    itemId: id,
    ...item,
    marketPrice: value?.market_price || null,
  }));

export const Items = listAnswerSchema("items", ItemRow);
export type Item = z.output<typeof ItemRow>;

const Offer = z.object({ cost: money.positive() });

const offers = z.union([
  rowsSchemaOf(Offer),
  z
    .record(z.string(), z.unknown())
    .transform((byId) => Object.values(byId))
    .pipe(rowsSchemaOf(Offer)),
]);

export const LowestPointsPrice = z
  .object({ pointsmarket: offers })
  .transform(({ pointsmarket }) => {
    const costs = pointsmarket.map(({ cost }) => cost);
    return costs.length === 0 ? null : Math.min(...costs);
  });
