import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { instant } from "./instant";

/** A stock and what its holders get. */
export const stocks = pgTable("stocks", {
  id: integer().primaryKey(),
  name: text().notNull(),
  acronym: text().notNull(),
  /** Passive: a perk while held. Else it pays every `frequency` days. */
  passive: boolean().notNull(),
  frequency: integer(),
  /** Shares to be held. */
  requirement: bigint({ mode: "number" }).notNull(),
  description: text().notNull(),
  lastSeen: instant().notNull(),
  /** Since when the game's answers lack it; null while they have it. */
  missingSince: instant(),
  /** When its past was asked for; null while that is still to be done. */
  historyAskedAt: instant(),
});

/** One stock at one minute. The newest month stays. Of what was read from a chart afterwards the price alone is known. */
export const stockTicks = pgTable(
  "stock_ticks",
  {
    stockId: integer().notNull(),
    at: instant().notNull(),
    price: doublePrecision().notNull(),
    marketCap: bigint({ mode: "number" }),
    shares: bigint({ mode: "number" }),
    investors: integer(),
  },
  (table) => [primaryKey({ columns: [table.stockId, table.at] })],
);

/** The newest complete tick: written for all stocks in one transaction. */
export const stockLatest = pgTable("stock_latest", {
  stockId: integer().primaryKey(),
  at: instant().notNull(),
  price: doublePrecision().notNull(),
  marketCap: bigint({ mode: "number" }).notNull(),
  shares: bigint({ mode: "number" }).notNull(),
  investors: integer().notNull(),
});

/** Things of the game, with what the market asks for one. */
export const items = pgTable("items", {
  id: integer().primaryKey(),
  name: text().notNull(),
  description: text().notNull(),
  marketPrice: bigint({ mode: "number" }),
  lastSeen: instant().notNull(),
});

/** Prices of what is no item: points. */
export const marketPrices = pgTable("market_prices", {
  name: text().primaryKey(),
  price: doublePrecision().notNull(),
  at: instant().notNull(),
});
