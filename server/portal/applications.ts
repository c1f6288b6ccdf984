import { z } from "zod";
import { ApplicationChanges, ApplicationInput, SecretInput } from "#server/oauth/clients/contract";
import { createSecret } from "#server/oauth/clients/create-secret";
import { deleteApplication } from "#server/oauth/clients/delete-application";
import { deleteSecret } from "#server/oauth/clients/delete-secret";
import { listApplications } from "#server/oauth/clients/list-applications";
import { registerApplication } from "#server/oauth/clients/register-application";
import { showApplication } from "#server/oauth/clients/show-application";
import { updateApplication } from "#server/oauth/clients/update-application";
import { freshProcedure } from "#server/trpc/fresh-procedure";
import { router, userProcedure } from "#server/trpc/init";

const OneApplication = z.object({ clientId: z.string().max(100) });

/** A developer's own applications. Another's is as unknown as one that does not exist. */
export const applicationsRouter = router({
  list: userProcedure.query(({ ctx }) => listApplications(ctx.context, ctx.user)),

  get: userProcedure
    .input(OneApplication)
    .query(({ ctx, input }) => showApplication(ctx.context, ctx.user, input.clientId)),

  /** The answer holds the secret of a confidential application, this once. */
  create: userProcedure
    .input(ApplicationInput)
    .mutation(({ ctx, input }) => registerApplication(ctx.context, ctx.user, input, ctx.origin)),

  update: userProcedure
    .input(ApplicationChanges.extend(OneApplication.shape))
    .mutation(({ ctx, input }) => updateApplication(ctx.context, ctx.user, input, ctx.origin)),

  delete: freshProcedure
    .input(OneApplication.extend({ confirmName: z.string().max(200) }))
    .mutation(({ ctx, input }) => deleteApplication(ctx.context, ctx.user, input, ctx.origin)),

  /** The answer holds the secret, this once. */
  createSecret: freshProcedure
    .input(SecretInput.extend(OneApplication.shape))
    .mutation(({ ctx, input }) => createSecret(ctx.context, ctx.user, input, ctx.origin)),

  deleteSecret: freshProcedure
    .input(OneApplication.extend({ secretId: z.string().max(100) }))
    .mutation(({ ctx, input }) => deleteSecret(ctx.context, ctx.user, input, ctx.origin)),
});
