import { z } from "zod";
import { ApplicationChanges, ApplicationInput, SecretInput } from "#server/oauth/clients/contract";
import { createSecret } from "#server/oauth/clients/create-secret";
import { deleteApplication } from "#server/oauth/clients/delete-application";
import { deleteSecret } from "#server/oauth/clients/delete-secret";
import { listApplications } from "#server/oauth/clients/list-applications";
import { registerApplication } from "#server/oauth/clients/register-application";
import { revokeGrants } from "#server/oauth/clients/revoke-grants";
import { showApplication } from "#server/oauth/clients/show-application";
import { showCalls } from "#server/oauth/clients/show-calls";
import { showFailedAttempts } from "#server/oauth/clients/show-failed-attempts";
import { showFunnel } from "#server/oauth/clients/show-funnel";
import { showLiveGrants } from "#server/oauth/clients/show-live-grants";
import { showTraffic } from "#server/oauth/clients/show-traffic";
import { callOutcomes } from "#server/oauth/clients/traffic/call-outcome";
import { updateApplication } from "#server/oauth/clients/update-application";
import { freshProcedure } from "#server/trpc/fresh-procedure";
import { router, userProcedure } from "#server/trpc/init";

const OneApplication = z.object({ clientId: z.string().max(100) });
/** Its name, typed by the developer, for what cannot be undone. */
const NamedApplication = OneApplication.extend({ confirmName: z.string().max(200) });
/** Where a list goes on, as the page before said. */
const Listed = OneApplication.extend({ after: z.string().max(100).nullable().default(null) });

/** A developer's own applications. Another's is as unknown as one that does not exist. */
export const applicationsRouter = router({
  list: userProcedure.query(({ ctx }) => listApplications(ctx.context, ctx.user)),

  get: userProcedure
    .input(OneApplication)
    .query(({ ctx, input }) => showApplication(ctx.context, ctx.user, input.clientId)),

  /** Calls, errors, latency and players of seven days. */
  traffic: userProcedure.input(OneApplication).query(({ ctx, input }) => showTraffic(ctx.context, ctx.user, input)),

  /** Players of seven days, from the consent page to the first call. */
  funnel: userProcedure.input(OneApplication).query(({ ctx, input }) => showFunnel(ctx.context, ctx.user, input)),

  calls: userProcedure
    .input(Listed.extend({ outcome: z.enum(callOutcomes).default("all") }))
    .query(({ ctx, input }) => showCalls(ctx.context, ctx.user, input)),

  failedAttempts: userProcedure
    .input(Listed)
    .query(({ ctx, input }) => showFailedAttempts(ctx.context, ctx.user, input)),

  liveGrants: userProcedure.input(Listed).query(({ ctx, input }) => showLiveGrants(ctx.context, ctx.user, input)),

  revokeGrant: freshProcedure
    .input(OneApplication.extend({ grantId: z.string().max(100) }))
    .mutation(({ ctx, input }) => revokeGrants(ctx.context, ctx.user, input, ctx.origin)),

  revokeAllGrants: freshProcedure
    .input(NamedApplication)
    .mutation(({ ctx, input }) => revokeGrants(ctx.context, ctx.user, input, ctx.origin)),

  /** The answer holds the secret of a confidential application, this once. */
  create: userProcedure
    .input(ApplicationInput)
    .mutation(({ ctx, input }) => registerApplication(ctx.context, ctx.user, input, ctx.origin)),

  update: userProcedure
    .input(ApplicationChanges.extend(OneApplication.shape))
    .mutation(({ ctx, input }) => updateApplication(ctx.context, ctx.user, input, ctx.origin)),

  delete: freshProcedure
    .input(NamedApplication)
    .mutation(({ ctx, input }) => deleteApplication(ctx.context, ctx.user, input, ctx.origin)),

  /** The answer holds the secret, this once. */
  createSecret: freshProcedure
    .input(SecretInput.extend(OneApplication.shape))
    .mutation(({ ctx, input }) => createSecret(ctx.context, ctx.user, input, ctx.origin)),

  deleteSecret: freshProcedure
    .input(OneApplication.extend({ secretId: z.string().max(100) }))
    .mutation(({ ctx, input }) => deleteSecret(ctx.context, ctx.user, input, ctx.origin)),
});
