import { GameError, GameTimeout, GameUnavailable, StatsNotAvailable, UnknownUser } from "#server/failures";
import { endpoint } from "#server/rest/endpoint";
import { StatEstimate, statEstimate } from "../estimates/contract";
import { estimateStats } from "../estimates/estimate-stats";

export const getStatEstimate = endpoint({
  method: "GET",
  path: "/user/estimate/<int:user_id>",
  title: "Get User Stats Estimate",
  description:
    "What a model expects of a player's battle stats, from public counters alone. It has learned from fights that everybody may see. " +
    "Counters older than a week are read anew where the token includes service_key:usage and the caller has a game key; " +
    "otherwise an older estimate is given, with an expiration in the past.",
  tag: "Stats",
  scopes: [],
  returns: StatEstimate,
  fails: [UnknownUser, StatsNotAvailable, GameError, GameUnavailable, GameTimeout],
  handle: async ({ ctx, actor, params }) => statEstimate(await estimateStats(ctx, actor, params.user_id)),
});
