import { z } from "zod";
import { issueOwnToken } from "#server/oauth/authorize/own-token";
import {
  deleteApplication,
  openApplication,
  registerApplication,
  updateApplication,
} from "#server/oauth/clients/application-acts";
import { ApplicationChanges, ApplicationInput, SecretInput } from "#server/oauth/clients/contract";
import { revokeGrants } from "#server/oauth/clients/live-grants/live-grants";
import {
  listApplications,
  nameUsableApplications,
  showApplication,
} from "#server/oauth/clients/own-applications";
import {
  createSecret,
  deleteSecret,
  markSecretsSaved,
} from "#server/oauth/clients/secrets/secret-acts";
import { integer, text } from "#server/platform/input-schemas";
import { portalRefusal } from "#server/portal-refusal";
import { confirmedProcedure } from "#server/trpc/confirmed-procedure";
import { calling, router, userProcedure } from "#server/trpc/init";
import { applicationViews, OneApplication } from "./application-views";

/** The typed name, for irreversible acts. */
const NamedApplication = OneApplication.extend({ confirmName: text(200) });
/** Optimistic locking. */
const EditedApplication = OneApplication.extend({ version: integer });

const conflict = (reason: string, message: string) =>
  portalRefusal({ status: 409, reason, message });
const outdated = () =>
  conflict(
    "APPLICATION_CHANGED",
    "This application changed in another tab, and nothing was saved. Copy what you typed, then read it again.",
  );
const onlySecret = () =>
  conflict("ONLY_SECRET", "This is now the only secret. Press Delete again to delete it as well.");

/** A foreign application looks unknown. */
export const applicationsRouter = router({
  list: userProcedure
    .input(
      z
        .object({
          q: text(100).default(""),
          sort: text(20).default(""),
          page: z.number().int().min(1).max(1_000).default(1),
        })
        .default({ q: "", sort: "", page: 1 }),
    )
    .query(calling(listApplications)),

  names: userProcedure.query(calling(nameUsableApplications)),

  get: userProcedure
    .input(OneApplication)
    .query(({ ctx, input }) => showApplication(ctx.context, ctx.user, input.clientId)),

  ...applicationViews,

  revokeGrant: confirmedProcedure
    .input(OneApplication.extend({ grantId: text(100) }))
    .mutation(calling(revokeGrants)),

  revokeAllGrants: confirmedProcedure.input(NamedApplication).mutation(calling(revokeGrants)),

  /** The only answer with the secret. */
  create: confirmedProcedure.input(ApplicationInput).mutation(calling(registerApplication)),

  update: userProcedure
    .input(ApplicationChanges.extend(EditedApplication.shape))
    .mutation(async ({ ctx, input }) => {
      const update = await updateApplication(ctx.context, ctx.user, input);
      if (update.kind === "outdated") throw outdated();
      return { version: update.version };
    }),

  open: confirmedProcedure.input(OneApplication).mutation(calling(openApplication)),

  /** The only answer with the token. */
  ownToken: confirmedProcedure.input(OneApplication).mutation(calling(issueOwnToken)),

  delete: confirmedProcedure.input(NamedApplication).mutation(calling(deleteApplication)),

  /** The only answer with the secret. */
  createSecret: confirmedProcedure
    .input(SecretInput.extend(OneApplication.shape))
    .mutation(calling(createSecret)),

  secretsSaved: userProcedure.input(OneApplication).mutation(calling(markSecretsSaved)),

  deleteSecret: confirmedProcedure
    .input(OneApplication.extend({ secretId: text(100), isOnly: z.boolean().default(false) }))
    .mutation(async ({ ctx, input }) => {
      const outcome = await deleteSecret(ctx.context, ctx.user, input);
      if (outcome === "only") throw onlySecret();
    }),
});
