import { z } from "zod";
import {
  GameError,
  GameTimeout,
  GameUnavailable,
  StatScoreMissing,
  StatsNotAvailable,
  UnknownUser,
} from "#server/failures";
import { defineEndpoint } from "#server/rest/endpoint";
import { findChainTargets } from "../chain-list/generate-chain-list";
import {
  ChainListEntry,
  ChainListRequest,
  chainListEntryRecord,
  chainListQueryOf,
  HistoricalStat,
  historicalStatRecord,
} from "../contract";
import { readHistoricalStat } from "../entries/show-scores";
import { StatEstimate, statEstimateRecord } from "../estimates/contract";
import { estimateStats } from "../estimates/estimate-stats";

export const generateChainList = defineEndpoint({
  method: "POST",
  path: "/stat/chain-list",
  title: "Generate Chain List",
  did: "Looked for targets with fair fights",
  description:
    "Targets that would give the caller a fair fight within bounds, from scores that the caller may see: public ones, and " +
    "those that the caller's own faction keeps for itself. The caller needs a score: from a game key of theirs, or from " +
    "their faction's import. The caller, members of their faction and players in federal jail are left out, and so are " +
    "scores older than six months.",
  tag: "Stats",
  scopes: [],
  body: ChainListRequest,
  returns: z.array(ChainListEntry),
  fails: [StatScoreMissing],
  limit: { policy: "chain-list", setting: "chainList" },
  handle: async ({ ctx, by, player, body }) =>
    (await findChainTargets(ctx, { by, player }, chainListQueryOf(body))).map(chainListEntryRecord),
});

export const getHistoricalStat = defineEndpoint({
  method: "GET",
  path: "/user/<int:user_id>/stat",
  title: "Get User Historical Stats",
  did: "Read a player's earlier stats",
  description:
    "The newest stat score of a player that the caller may see: a public one, or one of the caller's faction.",
  tag: "Stats",
  scopes: [],
  returns: HistoricalStat,
  fails: [UnknownUser, StatsNotAvailable],
  handle: async ({ ctx, by, player, params }) =>
    historicalStatRecord(await readHistoricalStat(ctx, { by, player }, params.user_id)),
});

export const getStatEstimate = defineEndpoint({
  method: "GET",
  path: "/user/estimate/<int:user_id>",
  title: "Get User Stats Estimate",
  did: "Read an estimate of a player's stats",
  description:
    "What a model expects of a player's battle stats, from public counters alone. It has learned from public fights. " +
    "Counters older than a week are read again where the token includes service_key:usage and the caller has a game key; " +
    "otherwise an older estimate is given, with an expiration in the past.",
  tag: "Stats",
  scopes: [],
  returns: StatEstimate,
  fails: [UnknownUser, StatsNotAvailable, GameError, GameUnavailable, GameTimeout],
  handle: async ({ ctx, by, params }) =>
    statEstimateRecord(await estimateStats(ctx, by, params.user_id)),
});
