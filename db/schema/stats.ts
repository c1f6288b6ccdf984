import { type SQL, sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "./instant";

/** Logarithmic steps by a factor of 1.4, from 100 on. */
export const scoreBucket = (score: SQL): SQL<number> =>
  sql`least(99, greatest(0, floor(3 * ln(greatest(${score}, 1) / 100))))::int4`;

/** A cell covers ten levels and one step of scores. */
export const levelScoreCell = (levels: SQL, step: SQL): SQL<number> =>
  sql`(${levels}) * 100 + ${step}`;

/** Never shown to other players. */
export const battleStats = pgTable("battle_stats", {
  playerId: integer().primaryKey(),
  strength: bigint({ mode: "number" }).notNull(),
  defense: bigint({ mode: "number" }).notNull(),
  speed: bigint({ mode: "number" }).notNull(),
  dexterity: bigint({ mode: "number" }).notNull(),
  /** The sum of the square roots of the four stats. */
  score: doublePrecision().notNull(),
  at: instant().notNull(),
});

/** Counters are keyed by our model's flat names. The newest two days are kept. */
export const personalStats = pgTable(
  "personal_stats",
  {
    playerId: integer().notNull(),
    day: date({ mode: "string" }).notNull(),
    counters: jsonb().$type<Record<string, number | null>>().notNull(),
    at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.playerId, table.day] }),
    index("personal_stats_day").on(table.day),
  ],
);

/** `visibleTo` is 0 for all, else the one faction that sees the entry. */
export const statEntries = pgTable(
  "stat_entries",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    visibleTo: integer().notNull(),
    playerId: integer().notNull(),
    score: doublePrecision().notNull(),
    /** Time of the fight, or as imported. */
    timeAdded: instant().notNull(),
    /** The score's error, from the rounding of the printed fair fight. */
    sigma: real().notNull(),
    fairFight: real(),
    /** True if the fair fight was capped. Used for training only. */
    lowerBound: boolean().notNull().default(false),
    source: text({ enum: ["fight", "import"] }).notNull(),
    attackCode: text(),
    /** Owner of the stored score that was used; null once that account is deleted. */
    contributorId: integer(),
  },
  (table) => [
    unique("stat_entries_attack").on(table.attackCode, table.playerId),
    index("stat_entries_newest").on(table.playerId, table.visibleTo, table.timeAdded),
    index("stat_entries_time").on(table.timeAdded),
    index("stat_entries_contributor").on(table.contributorId),
    index("stat_entries_public")
      .on(table.timeAdded, table.id, table.playerId)
      .where(sql`${table.visibleTo} = 0 and ${table.source} = 'fight'`),
  ],
);

/** Has an index for each order of the chain list. A trigger copies the level from `players`. */
export const statLatest = pgTable(
  "stat_latest",
  {
    visibleTo: integer().notNull(),
    playerId: integer().notNull(),
    score: doublePrecision().notNull(),
    timeAdded: instant().notNull(),
    /** 0 if unknown. */
    level: integer().notNull(),
    /** Uniform in 0 … 1, redrawn at each write. */
    draw: real().notNull(),
    /** The `levelScoreCell`, set by a trigger. */
    cell: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.visibleTo, table.playerId] }),
    // The trailing columns allow an index-only scan.
    index("stat_latest_random").on(
      ...([table.visibleTo, table.cell, table.draw, table.playerId] as const),
      table.score,
      table.level,
      table.timeAdded,
    ),
    index("stat_latest_recent").on(
      ...([table.visibleTo, table.cell, table.timeAdded, table.playerId] as const),
      table.score,
      table.level,
      table.draw,
    ),
    index("stat_latest_level").on(
      ...([table.visibleTo, table.level, table.score] as const),
      table.playerId,
      table.timeAdded,
      table.draw,
    ),
    index("stat_latest_player").on(table.playerId),
  ],
);

export const statEstimates = pgTable("stat_estimates", {
  playerId: integer().primaryKey(),
  score: doublePrecision().notNull(),
  at: instant().notNull(),
  /** Time of the counters behind the estimate. */
  statsAt: instant().notNull(),
});

/** Older models are kept for comparison. */
export const estimateModels = pgTable("estimate_models", {
  id: uuid().primaryKey(),
  trainedAt: instant().notNull(),
  inForce: boolean().notNull(),
  model: jsonb().$type<unknown>().notNull(),
  card: jsonb().$type<unknown>().notNull(),
});
