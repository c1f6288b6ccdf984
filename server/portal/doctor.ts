import { z } from "zod";
import { diagnose } from "#server/oauth/clients/diagnose";
import { router, userProcedure } from "#server/trpc/init";

/** Longer than any address that a browser or a server of the field would take. */
const longestAsked = 8_000;

/** Says what is wrong with an authorization URL, or what became of a call. */
export const doctorRouter = router({
  examine: userProcedure
    .input(z.object({ text: z.string().max(longestAsked) }))
    .query(({ ctx, input }) => diagnose(ctx.context, ctx.user, input.text)),
});
