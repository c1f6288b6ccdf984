import { z } from "zod";
import { actInDemo, demoActs, showDemo, showDemoProgress, showLonersKey } from "#server/demo/acts";
import { TooManyRequests } from "#server/failures";
import { text } from "#server/platform/input-schemas";
import { PlayerId } from "#server/rest/shapes";
import { findChainTargets } from "#server/stats/chain-list/generate-chain-list";
import { ChainListRequest, chainListQuery } from "#server/stats/contract";
import { showScores } from "#server/stats/entries/show-scores";
import { showStock, showStocks } from "#server/stocks/show-stocks";
import { router, userProcedure } from "#server/trpc/init";
import { findPlayers, requirePlayer } from "#server/users/find-players";

/** Players of the game, as far as they are known here. */
export const playersRouter = router({
  find: userProcedure
    .input(z.object({ typed: text(100).trim() }))
    .query(({ ctx, input }) => findPlayers(ctx.context, input.typed)),

  /** A player, and what the user may see of their strength. */
  show: userProcedure
    .input(z.object({ playerId: PlayerId }))
    .query(async ({ ctx, input: { playerId } }) => {
      const player = await requirePlayer(ctx.context, playerId);
      return { player, ...(await showScores(ctx.context, ctx.user, playerId)) };
    }),
});

/** Lists a minute of one account, which are as heavy as the API's five. A page is also loaded to come back to it. */
const listsAMinute = 15;

/** Targets for the user's chain. */
export const targetsRouter = router({
  /** Takes the words of the API's body. */
  find: userProcedure.input(ChainListRequest).query(async ({ ctx: { context, user }, input }) => {
    const take = { policy: "chain-list-page", subject: user.accountId, limit: listsAMinute };
    const { allowed, reset } = await context.limiter.take(take);
    if (!allowed) throw TooManyRequests.because({ retryAfter: reset });
    const actor = { playerId: user.playerId };
    return findChainTargets(context, { actor, player: undefined }, chainListQuery(input));
  }),
});

/** The stock market, as the API has it. */
export const stocksRouter = router({
  list: userProcedure.query(({ ctx }) => showStocks(ctx.context)),

  /** Null where there is none of that short name. */
  show: userProcedure
    .input(z.object({ acronym: text(10) }))
    .query(({ ctx, input }) => showStock(ctx.context, input.acronym)),
});

/** The demo's page: what can be made to happen in the simulated game. */
export const demoRouter = router({
  lonerHasKey: userProcedure.query(({ ctx }) => showLonersKey(ctx.context)),

  /** How far the world is read; null where that is done. */
  reading: userProcedure.query(({ ctx }) => showDemoProgress(ctx.context)),

  /** Asked for again and again while the page is open. */
  show: userProcedure.query(({ ctx }) => showDemo(ctx.context)),

  act: userProcedure
    .input(z.object({ act: z.enum(demoActs) }))
    .mutation(({ ctx, input }) => actInDemo(ctx.context, ctx.user, input.act)),
});
