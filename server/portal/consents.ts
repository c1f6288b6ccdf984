import { z } from "zod";
import { previewOwnFaction } from "#server/faction/preview-own-faction";
import { ApprovalLength } from "#server/oauth/authorize/consent-prompt";
import { ConsentDecision, decideRequest } from "#server/oauth/authorize/decide-request";
import { CallbackQuery, showCallback } from "#server/oauth/authorize/read-callback";
import { showRequest } from "#server/oauth/authorize/show-request";
import { findRestartLink } from "#server/oauth/authorize/start-authorization";
import {
  changeExpiry,
  narrowConsent,
  pauseConsent,
  restoreScopes,
  resumeConsent,
  revokeAllConsents,
  revokeConsents,
} from "#server/oauth/consents/consent-acts";
import { listConsents, showApplicationActivity } from "#server/oauth/consents/list-consents";
import { ReportInput, reportApplication, showReport } from "#server/oauth/reports/report-acts";
import { ScopeNames } from "#server/oauth/scope-list";
import { boundedList, text } from "#server/platform/input-schemas";
import {
  confirmedProcedure,
  publicProcedure,
  resolverOf,
  router,
  userProcedure,
} from "#server/trpc/procedures";
import { ClientIdInput } from "./applications";

const OneConsent = z.object({ consentId: z.uuid() });

export const consentsRouter = router({
  list: userProcedure.query(resolverOf(listConsents)),

  activity: userProcedure
    .input(ClientIdInput)
    .query(({ ctx, input }) => showApplicationActivity(ctx.context, ctx.user, input.clientId)),

  pause: userProcedure.input(OneConsent).mutation(resolverOf(pauseConsent)),

  resume: userProcedure.input(OneConsent).mutation(resolverOf(resumeConsent)),

  /** Ends every shown scope that is not kept. */
  narrow: userProcedure
    .input(
      OneConsent.extend({ shown: ScopeNames.refine(({ length }) => length > 0), keep: ScopeNames }),
    )
    .mutation(resolverOf(narrowConsent)),

  giveBack: confirmedProcedure
    .input(OneConsent.extend({ scopes: ScopeNames }))
    .mutation(resolverOf(restoreScopes)),

  changeExpiry: userProcedure
    .input(OneConsent.extend({ until: ApprovalLength }))
    .mutation(resolverOf(changeExpiry)),

  revoke: userProcedure
    .input(
      z.object({
        consentIds: boundedList(z.uuid(), { most: 1_000 }).refine(({ length }) => length > 0),
      }),
    )
    .mutation(resolverOf(revokeConsents)),

  /** Needs an application that the player allowed, or that asked the player. */
  reportForm: userProcedure.input(ClientIdInput).query(resolverOf(showReport)),

  report: userProcedure.input(ReportInput).mutation(resolverOf(reportApplication)),

  revokeAll: confirmedProcedure.mutation(resolverOf(revokeAllConsents)),
});

const OneRequest = z.object({ requestId: z.uuid() });

export const authorizationRouter = router({
  show: userProcedure
    .input(OneRequest)
    .query(({ ctx, input }) =>
      showRequest(ctx.context, ctx.user, { ...input, browserId: ctx.browserId }),
    ),

  /** Null if the player has no faction. */
  factionPreview: userProcedure.query(resolverOf(previewOwnFaction)),

  restart: userProcedure
    .input(OneRequest)
    .query(({ ctx, input }) =>
      findRestartLink(ctx.context, { ...input, browserId: ctx.browserId }),
    ),

  callback: publicProcedure
    .input(z.object({ clientId: text(100), sent: CallbackQuery }))
    .query(({ ctx, input }) => showCallback(ctx.context, { ...input, user: ctx.user })),

  decide: userProcedure
    .input(ConsentDecision)
    .mutation(({ ctx, input }) =>
      decideRequest(ctx.context, ctx.user, { ...input, browserId: ctx.browserId }),
    ),
});
