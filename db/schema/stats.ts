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

/** Each step of scores is 1.4 times as high as the one below, from 100 on. */
export const scoreStep = (score: SQL): SQL<number> =>
  sql`least(99, greatest(0, floor(3 * ln(greatest(${score}, 1) / 100))))::int4`;

/** The cell of ten levels and a step of scores. */
export const cellOf = (levels: SQL, step: SQL): SQL<number> => sql`(${levels}) * 100 + ${step}`;

/** A player's own battle stats, as their own key told. Never shown to anybody else. */
export const battleStats = pgTable("battle_stats", {
  playerId: integer().primaryKey(),
  strength: bigint({ mode: "number" }).notNull(),
  defense: bigint({ mode: "number" }).notNull(),
  speed: bigint({ mode: "number" }).notNull(),
  dexterity: bigint({ mode: "number" }).notNull(),
  /** The sum of the four square roots. */
  score: doublePrecision().notNull(),
  at: instant().notNull(),
});

/** Public lifetime counters of a player at the end of a day; flat names as our model uses them. The newest two days stay. */
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

/** A stat score that was derived from a fight or imported. `visibleTo` is 0 for everybody, else the one faction that sees it. */
export const statEntries = pgTable(
  "stat_entries",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    visibleTo: integer().notNull(),
    playerId: integer().notNull(),
    score: doublePrecision().notNull(),
    /** When the fight ended, or when the import says the stats were seen. */
    timeAdded: instant().notNull(),
    /** Relative error of the score that the printed fair fight's rounding makes. */
    sigma: real().notNull(),
    fairFight: real(),
    /** Fair fight was capped: the true score is at least this. Kept for training, never shown as a score. */
    lowerBound: boolean().notNull().default(false),
    source: text({ enum: ["fight", "import"] }).notNull(),
    attackCode: text(),
    /** Whose stored score it was derived from; emptied when that account is deleted. */
    contributorId: integer(),
  },
  (table) => [
    unique("stat_entries_attack").on(table.attackCode, table.playerId),
    index("stat_entries_newest").on(table.playerId, table.visibleTo, table.timeAdded),
    index("stat_entries_time").on(table.timeAdded),
    index("stat_entries_contributor").on(table.contributorId),
    // What a training may learn from, newest first.
    index("stat_entries_public")
      .on(table.timeAdded, table.id, table.playerId)
      .where(sql`${table.visibleTo} = 0 and ${table.source} = 'fight'`),
  ],
);

/**
 * The newest score of a player in each visibility group, laid out for the chain list: each of its orders has an index to walk.
 * Only the level repeats what `players` says, because it is searched together with the score; a trigger keeps it in step.
 */
export const statLatest = pgTable(
  "stat_latest",
  {
    visibleTo: integer().notNull(),
    playerId: integer().notNull(),
    score: doublePrecision().notNull(),
    timeAdded: instant().notNull(),
    /** 0 where it is not known. */
    level: integer().notNull(),
    /** Uniform in 0 … 1, drawn again at each write: the order of a random list. */
    draw: real().notNull(),
    /** Ten levels and one step of scores, as `cellOf` says, by a trigger: within it rows stand in the order of a list. */
    cell: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.visibleTo, table.playerId] }),
    // What follows the order is there to be read from the index alone: some rows that are looked at do not fit.
    index("stat_latest_random").on(
      ...([table.visibleTo, table.cell, table.draw, table.playerId] as const),
      ...[table.score, table.level, table.timeAdded],
    ),
    index("stat_latest_recent").on(
      ...([table.visibleTo, table.cell, table.timeAdded, table.playerId] as const),
      ...[table.score, table.level, table.draw],
    ),
    index("stat_latest_level").on(
      ...([table.visibleTo, table.level, table.score] as const),
      ...[table.playerId, table.timeAdded, table.draw],
    ),
    index("stat_latest_player").on(table.playerId),
  ],
);

/** What the model said of a player, kept as long as the counters that it read are young. */
export const statEstimates = pgTable("stat_estimates", {
  playerId: integer().primaryKey(),
  score: doublePrecision().notNull(),
  minBattleStats: bigint({ mode: "number" }).notNull(),
  maxBattleStats: bigint({ mode: "number" }).notNull(),
  at: instant().notNull(),
  /** When the counters were read. */
  statsAt: instant().notNull(),
  modelId: uuid().notNull(),
});

/** A trained model with its card. One is in force; the older ones are kept for comparison. */
export const estimateModels = pgTable("estimate_models", {
  id: uuid().primaryKey(),
  trainedAt: instant().notNull(),
  inForce: boolean().notNull(),
  model: jsonb().$type<unknown>().notNull(),
  card: jsonb().$type<unknown>().notNull(),
});
