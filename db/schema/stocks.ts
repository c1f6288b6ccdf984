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

export const stocks = pgTable("stocks", {
  id: integer().primaryKey(),
  name: text().notNull(),
  acronym: text().notNull(),
  /** True for a perk while held. Other stocks pay every `frequency` days. */
  passive: boolean().notNull(),
  frequency: integer(),
  requirement: bigint({ mode: "number" }).notNull(),
  description: text().notNull(),
  missingSince: instant(),
  historyAskedAt: instant(),
  /** Last complete tick with this stock. Only stocks of the newest tick are listed. */
  at: instant().notNull(),
  price: doublePrecision().notNull(),
  marketCap: bigint({ mode: "number" }).notNull(),
  shares: bigint({ mode: "number" }).notNull(),
  investors: integer().notNull(),
});

export const stockTicks = pgTable(
  "stock_ticks",
  {
    stockId: integer().notNull(),
    at: instant().notNull(),
    price: doublePrecision().notNull(),
  },
  (table) => [primaryKey({ columns: [table.stockId, table.at] })],
);

export const items = pgTable("items", {
  id: integer().primaryKey(),
  name: text().notNull(),
  description: text().notNull(),
  marketPrice: bigint({ mode: "number" }),
  lastSeen: instant().notNull(),
});
