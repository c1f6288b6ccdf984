import { z } from "zod";
import { toUnixSeconds } from "#server/platform/time";
import { FactionId, PlayerId, UnixSeconds } from "#server/rest/shapes";
import type { ChainTarget } from "./chain-list/generate-chain-list";
import type { ChainListQuery } from "./chain-list/target-search";

const largestLevel = 100;
const level = z.int().min(1).max(largestLevel);
const difficulty = z.number().min(1);
const statScore = z.number().meta({
  description: "Sum of the square roots of the four battle stats.",
  examples: [5_600.25],
});

export const ChainListRequest = z
  .object({
    minimum_difficulty: difficulty
      .default(1)
      .meta({ description: "Least fair fight that a target would give." }),
    maximum_difficulty: difficulty
      .default(3)
      .meta({ description: "Most fair fight; not less than the least, and not capped at 3." }),
    minimum_level: level.default(1).meta({ description: "Lowest level of a target." }),
    maximum_level: level
      .default(largestLevel)
      .meta({ description: "Highest level of a target; not below the minimum." }),
    sort_order: z.enum(["random", "recently-updated", "highest-respect"]).default("random").meta({
      description: "Chosen by chance, by the newest score, or by the respect that a hit brings.",
    }),
    limit: z.int().min(1).max(250).default(25).meta({ description: "Most targets in the list." }),
    is_factionless: z.boolean().optional().meta({ description: "Only targets without a faction." }),
    is_inactive: z.boolean().optional().meta({
      description: "Only targets without an action for 30 days, last read within the past 21.",
    }),
    factionless: z
      .boolean()
      .optional()
      .meta({ description: "Alias of `is_factionless`, which wins." }),
    inactive: z.boolean().optional().meta({ description: "Alias of `is_inactive`, which wins." }),
  })
  .refine((request) => request.minimum_difficulty <= request.maximum_difficulty, {
    path: ["maximum_difficulty"],
    message: "must not be less than minimum_difficulty",
  })
  .refine((request) => request.minimum_level <= request.maximum_level, {
    path: ["maximum_level"],
    message: "must not be less than minimum_level",
  })
  .prefault({})
  .meta({
    examples: [
      { minimum_difficulty: 2, maximum_difficulty: 3.5, sort_order: "highest-respect", limit: 10 },
    ],
  });

export const chainListQueryOf = (request: z.output<typeof ChainListRequest>): ChainListQuery => ({
  difficulty: { min: request.minimum_difficulty, max: request.maximum_difficulty },
  level: { min: request.minimum_level, max: request.maximum_level },
  order: request.sort_order,
  limit: request.limit,
  factionless: request.is_factionless ?? request.factionless ?? false,
  inactive: request.is_inactive ?? request.inactive ?? false,
});

export const ChainListEntry = z
  .object({
    time_added: UnixSeconds.meta({ description: "When the score was seen." }),
    stat_score: statScore,
    fair_fight: z.number().meta({ description: "Not capped; two decimals.", examples: [2.34] }),
    respect: z
      .number()
      .meta({ description: "Of a plain hit, with fair fight capped at 3.", examples: [3.02] }),
    target: z.object({
      ID: PlayerId,
      name: z.string().meta({ examples: ["Ada_Quill"] }),
      faction: z
        .object({ ID: FactionId, name: z.string().meta({ examples: ["Lanternwatch"] }) })
        .nullable()
        .meta({ description: "Null for a player without a faction." }),
      last_action: UnixSeconds.nullable().meta({
        description: "Last action in the game; null where it is not known.",
      }),
      last_refresh: UnixSeconds.nullable().meta({
        description: "When the player was last read from the game.",
      }),
    }),
  })
  .meta({ id: "ChainListEntry" });

export const chainListEntryRecord = (target: ChainTarget): z.output<typeof ChainListEntry> => ({
  time_added: toUnixSeconds(target.timeAdded),
  stat_score: target.score,
  fair_fight: target.fairFight,
  respect: target.respect,
  target: {
    ID: target.playerId,
    name: target.name,
    faction: target.faction && { ID: target.faction.factionId, name: target.faction.name },
    last_action: toUnixSeconds(target.lastAction),
    last_refresh: toUnixSeconds(target.lastRefresh),
  },
});

export const HistoricalStat = z
  .object({
    stat_score: statScore,
    min: z.int().meta({
      description: "The sum of the battle stats is at least this.",
      examples: [7_840_700],
    }),
    max: z.int().meta({
      description: "The sum of the battle stats is hardly more, unless the build is very lopsided.",
      examples: [11_404_654],
    }),
    timestamp: UnixSeconds.meta({ description: "When the score was seen." }),
  })
  .meta({ id: "HistoricalStat" });

export const historicalStatRecord = (seen: {
  score: number;
  min: number;
  max: number;
  at: Date;
}): z.output<typeof HistoricalStat> => ({
  stat_score: seen.score,
  min: seen.min,
  max: seen.max,
  timestamp: toUnixSeconds(seen.at),
});
