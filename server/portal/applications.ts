import { z } from "zod";
import { AuditEventId } from "#server/audit/audit";
import { issueDeveloperToken } from "#server/oauth/authorize/own-token";
import {
  deleteApplication,
  openToPlayers,
  readApplicationQuota,
  registerApplication,
  updateApplication,
} from "#server/oauth/clients/application-acts";
import { CallFilter } from "#server/oauth/clients/calls/call-filter";
import {
  exportCalls,
  showCall,
  showCalls,
  showFailedOAuthAttempts,
} from "#server/oauth/clients/calls/show-calls";
import { ApplicationChanges, ApplicationInput, SecretInput } from "#server/oauth/clients/contract";
import { askDoctor } from "#server/oauth/clients/diagnose";
import { revokeGrants, showLiveGrants } from "#server/oauth/clients/live-grants/live-grants";
import {
  listApplicationChoices,
  listApplications,
  showApplication,
} from "#server/oauth/clients/own-applications";
import { longestPasted, maskSecrets } from "#server/oauth/clients/read-pasted";
import {
  createSecret,
  deleteSecret,
  markSecretsSaved,
} from "#server/oauth/clients/secrets/secret-acts";
import { memberRoles } from "#server/oauth/clients/team/rights";
import {
  addTestPlayer,
  changeRole,
  inviteMember,
  joinTeam,
  leaveTeam,
  listInvitations,
  listTestPlayers,
  removeMember,
  removeTestPlayer,
  showHistory,
  showTeam,
} from "#server/oauth/clients/team/team-acts";
import {
  acceptApplication,
  offerApplication,
  withdrawOffer,
} from "#server/oauth/clients/team/transfer";
import {
  showFirstRunSteps,
  showFunnel,
  showTraffic,
} from "#server/oauth/clients/traffic/show-traffic";
import { trafficRanges } from "#server/oauth/clients/traffic/traffic";
import {
  proveDomain,
  removeDomain,
  setDomain,
} from "#server/oauth/clients/verification/domain-acts";
import {
  requestVerification,
  showVerification,
  withdrawRequest,
} from "#server/oauth/clients/verification/verification-requests";
import { integer, moment, text } from "#server/platform/input-schemas";
import { confirmedProcedure, resolverOf, router, userProcedure } from "#server/trpc/procedures";

export const ClientIdInput = z.object({ clientId: text(100) });
export const CursorInput = z.object({ after: text(100).nullable().default(null) });
const Listed = ClientIdInput.extend(CursorInput.shape);

const InRange = ClientIdInput.extend({ range: z.enum(trafficRanges).default("24h") });

export const doctorRouter = router({
  examine: userProcedure
    .input(z.object({ text: text(longestPasted) }))
    .query(({ ctx, input }) => askDoctor(ctx.context, ctx.user, input.text)),

  /** The page may put the masked text into its address. */
  mask: userProcedure
    .input(z.object({ text: text(longestPasted) }))
    .mutation(({ ctx, input }) => maskSecrets(ctx.context.keyring, input.text)),
});

const NamedApplication = ClientIdInput.extend({ confirmName: text(200) });
const EditedApplication = ClientIdInput.extend({ version: integer });

/** An application of another team looks unknown. */
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
    .query(resolverOf(listApplications)),

  names: userProcedure.query(resolverOf(listApplicationChoices)),

  get: userProcedure
    .input(ClientIdInput)
    .query(({ ctx, input }) => showApplication(ctx.context, ctx.user, input.clientId)),

  room: userProcedure.query(resolverOf(readApplicationQuota)),

  traffic: userProcedure
    .input(InRange.extend({ until: moment.nullable().default(null) }))
    .query(resolverOf(showTraffic)),

  firstRun: userProcedure.input(ClientIdInput).query(resolverOf(showFirstRunSteps)),

  funnel: userProcedure.input(InRange).query(resolverOf(showFunnel)),

  calls: userProcedure.input(Listed.extend(CallFilter.shape)).query(resolverOf(showCalls)),

  callsFile: userProcedure
    .input(ClientIdInput.extend(CallFilter.shape))
    .mutation(resolverOf(exportCalls)),

  loggedCall: userProcedure
    .input(ClientIdInput.extend({ requestId: text(100) }))
    .query(resolverOf(showCall)),

  failedAttempts: userProcedure.input(Listed).query(resolverOf(showFailedOAuthAttempts)),

  liveGrants: userProcedure.input(Listed).query(resolverOf(showLiveGrants)),

  revokeGrant: confirmedProcedure
    .input(ClientIdInput.extend({ grantId: text(100) }))
    .mutation(resolverOf(revokeGrants)),

  revokeAllGrants: confirmedProcedure.input(NamedApplication).mutation(resolverOf(revokeGrants)),

  /** No other answer has the secret. */
  create: confirmedProcedure.input(ApplicationInput).mutation(resolverOf(registerApplication)),

  update: userProcedure
    .input(ApplicationChanges.extend(EditedApplication.shape))
    .mutation(resolverOf(updateApplication)),

  open: confirmedProcedure.input(ClientIdInput).mutation(resolverOf(openToPlayers)),

  /** No other answer has the token. */
  ownToken: confirmedProcedure.input(ClientIdInput).mutation(resolverOf(issueDeveloperToken)),

  delete: confirmedProcedure.input(NamedApplication).mutation(resolverOf(deleteApplication)),

  /** No other answer has the secret. */
  createSecret: confirmedProcedure
    .input(SecretInput.extend(ClientIdInput.shape))
    .mutation(resolverOf(createSecret)),

  secretsSaved: userProcedure.input(ClientIdInput).mutation(resolverOf(markSecretsSaved)),

  deleteSecret: confirmedProcedure
    .input(ClientIdInput.extend({ secretId: text(100), isOnly: z.boolean().default(false) }))
    .mutation(resolverOf(deleteSecret)),
});

const OneMember = ClientIdInput.extend({ playerId: integer });
const role = z.enum(memberRoles, { error: "Choose a role." });

/** An application of another team looks unknown. */
export const teamRouter = router({
  show: userProcedure.input(ClientIdInput).query(resolverOf(showTeam)),

  history: userProcedure
    .input(ClientIdInput.extend({ before: AuditEventId.optional() }))
    .query(resolverOf(showHistory)),

  invitations: userProcedure.query(resolverOf(listInvitations)),

  invite: confirmedProcedure
    .input(ClientIdInput.extend({ player: text(100), role }))
    .mutation(resolverOf(inviteMember)),

  join: userProcedure.input(ClientIdInput).mutation(resolverOf(joinTeam)),

  /** Declines an invitation, too. */
  leave: userProcedure.input(ClientIdInput).mutation(resolverOf(leaveTeam)),

  changeRole: confirmedProcedure.input(OneMember.extend({ role })).mutation(resolverOf(changeRole)),

  /** Withdraws an invitation, too. */
  remove: confirmedProcedure.input(OneMember).mutation(resolverOf(removeMember)),

  testPlayers: userProcedure.input(ClientIdInput).query(resolverOf(listTestPlayers)),

  addTestPlayer: confirmedProcedure
    .input(ClientIdInput.extend({ player: text(100) }))
    .mutation(resolverOf(addTestPlayer)),

  removeTestPlayer: confirmedProcedure.input(OneMember).mutation(resolverOf(removeTestPlayer)),

  offer: confirmedProcedure.input(OneMember).mutation(resolverOf(offerApplication)),

  /** Lets the chosen member decline, too. */
  withdrawOffer: userProcedure.input(ClientIdInput).mutation(resolverOf(withdrawOffer)),

  accept: confirmedProcedure.input(ClientIdInput).mutation(resolverOf(acceptApplication)),
});

/** Above the limit of `setDomain`, so that its own refusal gives the reason. */
const longestTyped = 1_000;

/** An application of another team looks unknown. */
export const verificationRouter = router({
  show: userProcedure.input(ClientIdInput).query(resolverOf(showVerification)),

  nameDomain: userProcedure
    .input(ClientIdInput.extend({ domain: text(longestTyped) }))
    .mutation(resolverOf(setDomain)),

  prove: userProcedure.input(ClientIdInput).mutation(resolverOf(proveDomain)),

  removeDomain: userProcedure.input(ClientIdInput).mutation(resolverOf(removeDomain)),

  request: userProcedure.input(ClientIdInput).mutation(resolverOf(requestVerification)),

  withdraw: userProcedure.input(ClientIdInput).mutation(resolverOf(withdrawRequest)),
});
