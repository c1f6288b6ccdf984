import { z } from "zod";
import { actInDemo, demoActs, showDemo } from "#server/demo/acts";
import { router, userProcedure } from "#server/trpc/init";

/** The demo's page: what can be made to happen in the simulated game. */
export const demoRouter = router({
  show: userProcedure.query(({ ctx }) => showDemo(ctx.context)),

  act: userProcedure
    .input(z.object({ act: z.enum(demoActs) }))
    .mutation(({ ctx, input }) => actInDemo(ctx.context, ctx.user, input.act)),
});
