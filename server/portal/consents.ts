import { z } from "zod";
import { listConsents } from "#server/oauth/consents/list-consents";
import { revokeAllConsents } from "#server/oauth/consents/revoke-all-consents";
import { revokeConsent } from "#server/oauth/consents/revoke-consent";
import { router, userProcedure } from "#server/trpc/init";

/** What a player allowed which application. */
export const consentsRouter = router({
  list: userProcedure.query(({ ctx }) => listConsents(ctx.context, ctx.user)),

  revoke: userProcedure
    .input(z.object({ consentId: z.uuid() }))
    .mutation(({ ctx, input }) => revokeConsent(ctx.context, ctx.user, input.consentId, ctx.origin)),

  revokeAll: userProcedure.mutation(({ ctx }) => revokeAllConsents(ctx.context, ctx.user, ctx.origin)),
});
