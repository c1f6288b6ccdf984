import { z } from "zod";
import { EventId } from "#server/audit/audit";
import { issueOwnToken } from "#server/oauth/authorize/own-token";
import {
  countRoom,
  deleteApplication,
  openApplication,
  registerApplication,
  updateApplication,
} from "#server/oauth/clients/application-acts";
import { CallFilter } from "#server/oauth/clients/calls/call-filter";
import {
  exportCalls,
  showCall,
  showCalls,
  showFailedAttempts,
} from "#server/oauth/clients/calls/show-calls";
import { ApplicationChanges, ApplicationInput, SecretInput } from "#server/oauth/clients/contract";
import { askDoctor } from "#server/oauth/clients/diagnose";
import { revokeGrants, showLiveGrants } from "#server/oauth/clients/live-grants/live-grants";
import {
  listApplications,
  nameUsableApplications,
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
import { showFirstRun, showFunnel, showTraffic } from "#server/oauth/clients/traffic/show-traffic";
import { trafficRanges } from "#server/oauth/clients/traffic/traffic";
import {
  nameDomain,
  proveDomain,
  removeDomain,
} from "#server/oauth/clients/verification/domain-acts";
import {
  requestVerification,
  showVerification,
  withdrawRequest,
} from "#server/oauth/clients/verification/verification-requests";
import { integer, moment, text } from "#server/platform/input-schemas";
import { calling, confirmedProcedure, router, userProcedure } from "#server/trpc/procedures";

export const OneApplication = z.object({ clientId: text(100) });
/** `after` is the cursor from the page before. */
export const Continued = z.object({ after: text(100).nullable().default(null) });
const Listed = OneApplication.extend(Continued.shape);

const InRange = OneApplication.extend({ range: z.enum(trafficRanges).default("24h") });

export const doctorRouter = router({
  examine: userProcedure
    .input(z.object({ text: text(longestPasted) }))
    .query(({ ctx, input }) => askDoctor(ctx.context, ctx.user, input.text)),

  /** The text may appear in the page's address. */
  mask: userProcedure
    .input(z.object({ text: text(longestPasted) }))
    .mutation(({ ctx, input }) => maskSecrets(ctx.context.keyring, input.text)),
});

/** For irreversible acts. */
const NamedApplication = OneApplication.extend({ confirmName: text(200) });
const EditedApplication = OneApplication.extend({ version: integer });

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

  room: userProcedure.query(calling(countRoom)),

  traffic: userProcedure
    .input(InRange.extend({ until: moment.nullable().default(null) }))
    .query(calling(showTraffic)),

  firstRun: userProcedure.input(OneApplication).query(calling(showFirstRun)),

  funnel: userProcedure.input(InRange).query(calling(showFunnel)),

  calls: userProcedure.input(Listed.extend(CallFilter.shape)).query(calling(showCalls)),

  callsFile: userProcedure
    .input(OneApplication.extend(CallFilter.shape))
    .mutation(calling(exportCalls)),

  loggedCall: userProcedure
    .input(OneApplication.extend({ requestId: text(100) }))
    .query(calling(showCall)),

  failedAttempts: userProcedure.input(Listed).query(calling(showFailedAttempts)),

  liveGrants: userProcedure.input(Listed).query(calling(showLiveGrants)),

  revokeGrant: confirmedProcedure
    .input(OneApplication.extend({ grantId: text(100) }))
    .mutation(calling(revokeGrants)),

  revokeAllGrants: confirmedProcedure.input(NamedApplication).mutation(calling(revokeGrants)),

  /** The only answer with the secret. */
  create: confirmedProcedure.input(ApplicationInput).mutation(calling(registerApplication)),

  update: userProcedure
    .input(ApplicationChanges.extend(EditedApplication.shape))
    .mutation(calling(updateApplication)),

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
    .mutation(calling(deleteSecret)),
});

const OneMember = OneApplication.extend({ playerId: integer });
const role = z.enum(memberRoles, { error: "Choose a role." });

/** A foreign application looks unknown. */
export const teamRouter = router({
  show: userProcedure.input(OneApplication).query(calling(showTeam)),

  history: userProcedure
    .input(OneApplication.extend({ before: EventId.optional() }))
    .query(calling(showHistory)),

  invitations: userProcedure.query(calling(listInvitations)),

  invite: confirmedProcedure
    .input(OneApplication.extend({ player: text(100), role }))
    .mutation(calling(inviteMember)),

  join: userProcedure.input(OneApplication).mutation(calling(joinTeam)),

  /** Also declines an invitation. */
  leave: userProcedure.input(OneApplication).mutation(calling(leaveTeam)),

  changeRole: confirmedProcedure.input(OneMember.extend({ role })).mutation(calling(changeRole)),

  /** Also withdraws an invitation. */
  remove: confirmedProcedure.input(OneMember).mutation(calling(removeMember)),

  testPlayers: userProcedure.input(OneApplication).query(calling(listTestPlayers)),

  addTestPlayer: confirmedProcedure
    .input(OneApplication.extend({ player: text(100) }))
    .mutation(calling(addTestPlayer)),

  removeTestPlayer: confirmedProcedure.input(OneMember).mutation(calling(removeTestPlayer)),

  offer: confirmedProcedure.input(OneMember).mutation(calling(offerApplication)),

  /** Also declines an offer. */
  withdrawOffer: userProcedure.input(OneApplication).mutation(calling(withdrawOffer)),

  accept: confirmedProcedure.input(OneApplication).mutation(calling(acceptApplication)),
});

/** Above the verb's own limit, so that the verb gives the reason. */
const longestTyped = 1_000;

/** A foreign application looks unknown. */
export const verificationRouter = router({
  show: userProcedure.input(OneApplication).query(calling(showVerification)),

  nameDomain: userProcedure
    .input(OneApplication.extend({ domain: text(longestTyped) }))
    .mutation(calling(nameDomain)),

  prove: userProcedure.input(OneApplication).mutation(calling(proveDomain)),

  removeDomain: userProcedure.input(OneApplication).mutation(calling(removeDomain)),

  request: userProcedure.input(OneApplication).mutation(calling(requestVerification)),

  withdraw: userProcedure.input(OneApplication).mutation(calling(withdrawRequest)),
});
