import { z } from "zod";
import { PlayerId } from "#server/rest/shapes";
import { showScores } from "#server/stats/scores/show-scores";
import { router, userProcedure } from "#server/trpc/init";
import { findPlayers, requirePlayer } from "#server/users/find-players";

/** Players of the game, as far as they are known here. */
export const playersRouter = router({
  find: userProcedure
    .input(z.object({ typed: z.string().trim().max(100) }))
    .query(({ ctx, input }) => findPlayers(ctx.context, input.typed)),

  /** A player, and what the user may see of their strength. */
  show: userProcedure.input(z.object({ playerId: PlayerId })).query(async ({ ctx, input: { playerId } }) => {
    const player = await requirePlayer(ctx.context, playerId);
    return { player, ...(await showScores(ctx.context, ctx.user, playerId)) };
  }),
});
