import { StatsNotAvailable, UnknownUser } from "#server/failures";
import { endpoint } from "#server/rest/endpoint";
import { HistoricalStat, historicalStat } from "../contract";
import { readHistoricalStat } from "../entries/read-historical-stat";

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
  handle: async ({ ctx, actor, player, params }) =>
    historicalStat(await readHistoricalStat(ctx, { actor, player }, params.user_id)),
});
