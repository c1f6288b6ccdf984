import { z } from "zod";
import { diagnose } from "#server/oauth/clients/diagnose";
import { maskSecrets } from "#server/oauth/clients/pasted-secrets";
import { router, userProcedure } from "#server/trpc/init";

/** Longer than any address that a browser or a server of the field would take. */
const longestAsked = 8_000;

/** Says what is wrong with an authorization URL, a call or a token, or what became of a request. */
export const doctorRouter = router({
  examine: userProcedure
    .input(z.object({ text: z.string().max(longestAsked) }))
    .query(({ ctx, input }) => diagnose(ctx.context, ctx.user, input.text)),

  /** What was pasted, with each secret replaced by its hashes: so it may stand in the page's address. */
  mask: userProcedure
    .input(z.object({ text: z.string().max(longestAsked) }))
    .mutation(({ ctx, input }) => maskSecrets(ctx.context.keyring, input.text)),
});
