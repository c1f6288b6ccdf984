import { z } from "zod";
import { actInDemo, demoActs, hasLonerKey, showDemo, showDemoProgress } from "#server/demo/acts";
import { text } from "#server/platform/input-schemas";
import { charge } from "#server/platform/limiter/limiter";
import { PlayerId } from "#server/rest/shapes";
import { findChainTargets } from "#server/stats/chain-list/generate-chain-list";
import { ChainListRequest, chainListQueryOf } from "#server/stats/contract";
import { showScores } from "#server/stats/entries/show-scores";
import { showStock, showStocks } from "#server/stocks/show-stocks";
import { router, userProcedure } from "#server/trpc/procedures";
import { findPlayers, requirePlayer } from "#server/users/find-players";
import { refreshOnRequest } from "#server/users/refresh-on-request";

export const playersRouter = router({
  find: userProcedure
    .input(z.object({ typed: text(100).trim() }))
    .query(({ ctx, input }) => findPlayers(ctx.context, input.typed)),

  show: userProcedure
    .input(z.object({ playerId: PlayerId }))
    .query(async ({ ctx, input: { playerId } }) => {
      const player = await requirePlayer(ctx.context, playerId);
      return { player, ...(await showScores(ctx.context, ctx.user, playerId)) };
    }),

  /** Acts as an application with `service_key:usage`. */
  read: userProcedure
    .input(z.object({ playerId: PlayerId }))
    .mutation(async ({ ctx: { context, user }, input: { playerId } }) => {
      const reader = { playerId: user.playerId, scopes: ["service_key:usage"] } as const;
      await refreshOnRequest(context, reader, playerId);
    }),
});

/** Higher than in the API, because returning to a page loads it again. */
const listsAMinute = 15;

export const targetsRouter = router({
  find: userProcedure.input(ChainListRequest).query(async ({ ctx: { context, user }, input }) => {
    const subject = user.accountId;
    await charge(context, { policy: "chain-list-page", subject, limit: listsAMinute });
    const by = { playerId: user.playerId };
    return findChainTargets(context, { by, player: undefined }, chainListQueryOf(input));
  }),
});

export const stocksRouter = router({
  list: userProcedure.query(({ ctx }) => showStocks(ctx.context)),

  show: userProcedure
    .input(z.object({ acronym: text(10) }))
    .query(({ ctx, input }) => showStock(ctx.context, input.acronym)),
});

export const demoRouter = router({
  lonerHasKey: userProcedure.query(({ ctx }) => hasLonerKey(ctx.context)),

  /** Null when complete. */
  reading: userProcedure.query(({ ctx }) => showDemoProgress(ctx.context)),

  show: userProcedure.query(({ ctx }) => showDemo(ctx.context)),

  act: userProcedure
    .input(z.object({ act: z.enum(demoActs) }))
    .mutation(({ ctx, input }) => actInDemo(ctx.context, ctx.user, input.act)),
});
