import { z } from "zod";
import { changeStatSharing, importScores, showFactionScores } from "#server/faction/scores/faction-scores";
import { router, userProcedure } from "#server/trpc/init";

const largestImport = 250_000;

/** What the user's faction keeps of other players' strength. */
export const factionStatsRouter = router({
  /** Null without a faction. */
  own: userProcedure.query(({ ctx }) => showFactionScores(ctx.context, ctx.user)),

  share: userProcedure
    .input(z.object({ sharing: z.enum(["everybody", "faction", "off"]) }))
    .mutation(({ ctx, input }) => changeStatSharing(ctx.context, ctx.user, { ...input, origin: ctx.origin })),

  import: userProcedure
    .input(z.object({ text: z.string().max(largestImport) }))
    .mutation(({ ctx, input }) => importScores(ctx.context, ctx.user, { ...input, origin: ctx.origin })),
});
