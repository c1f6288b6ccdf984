import { z } from "zod";
import { StatScoreMissing } from "#server/failures";
import { endpoint } from "#server/rest/endpoint";
import { findChainTargets } from "../chain-list/generate-chain-list";
import { ChainListEntry, ChainListRequest, chainListEntry, chainListQuery } from "../contract";

export const generateChainList = endpoint({
  method: "POST",
  path: "/stat/chain-list",
  title: "Generate Chain List",
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
    (await findChainTargets(ctx, { by, player }, chainListQuery(body))).map(chainListEntry),
});
