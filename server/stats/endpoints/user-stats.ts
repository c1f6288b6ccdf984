import {
  GameError,
  GameTimeout,
  GameUnavailable,
  StatsNotAvailable,
  UnknownUser,
} from "#server/failures";
import { endpoint } from "#server/rest/endpoint";
import { HistoricalStat, historicalStat } from "../contract";
import { readHistoricalStat } from "../entries/show-scores";
import { StatEstimate, statEstimate } from "../estimates/contract";
import { estimateStats } from "../estimates/estimate-stats";

export const getHistoricalStat = endpoint({
  method: "GET",
  path: "/user/<int:user_id>/stat",
  title: "Get User Historical Stats",
  description:
    "The newest stat score of a player that the caller may see: a public one, or one of the caller's faction.",
  tag: "Stats",
  scopes: [],
  returns: HistoricalStat,
  fails: [UnknownUser, StatsNotAvailable],
  handle: async ({ ctx, by, player, params }) =>
    historicalStat(await readHistoricalStat(ctx, { by, player }, params.user_id)),
});

export const getStatEstimate = endpoint({
  method: "GET",
  path: "/user/estimate/<int:user_id>",
  title: "Get User Stats Estimate",
  description:
    "What a model expects of a player's battle stats, from public counters alone. It has learned from public fights. " +
    "Counters older than a week are read again where the token includes service_key:usage and the caller has a game key; " +
    "otherwise an older estimate is given, with an expiration in the past.",
  tag: "Stats",
  scopes: [],
  returns: StatEstimate,
  fails: [UnknownUser, StatsNotAvailable, GameError, GameUnavailable, GameTimeout],
  handle: async ({ ctx, by, params }) => statEstimate(await estimateStats(ctx, by, params.user_id)),
});
