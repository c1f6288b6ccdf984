import { z } from "zod";
import { actInDemo, demoActs, showDemo, showDemoProgress, showLonersKey } from "#server/demo/acts";
import { router, userProcedure } from "#server/trpc/init";

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
