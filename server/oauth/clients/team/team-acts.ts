import type { Queryable } from "#db/client";
import type { Administrator, PortalUser } from "#server/actor";
import { listApplicationHistory } from "#server/audit/read-events";
import type { Context } from "#server/context";
import { eventChannel } from "#server/event-log/sequencer";
import { GeneralError, UnknownOAuthClient } from "#server/failures";
import { charge } from "#server/platform/limiter/limiter";
import { findPlayers } from "#server/users/find-players";
import { endOutsiderConsent } from "../../consents/consent-acts";
import { isClientId } from "../client";
import { requireApplication, type TeamApplication } from "../own-applications";
import { removeMemberSecrets } from "../secrets/secret-acts";
import { findApplication } from "../store";
import { notifyTeam } from "./notify-team";
import { mayApprove } from "./permitted";
import {
  type ApplicationRight,
  type ApplicationRole,
  type MemberRole,
  mayDo,
  mostMembers,
  mostTestPlayers,
} from "./rights";
import {
  deleteMember,
  deleteTester,
  findInvitee,
  findMember,
  findTester,
  insertMember,
  insertTester,
  listInvitationsOf,
  listMembers,
  listTesters,
  lockTeam,
  type MemberKey,
  pauseEndpointsOf,
  type TeamMember,
  updateMember,
} from "./store";

/** Each invitation sends a notice. */
const invitationsAMinute = 10;

export interface MemberChoice {
  readonly clientId: string;
  readonly playerId: number;
}

export const teamPath = (clientId: string): string => `/developers/apps/${clientId}/team`;

/**
 * The caller checks the confirmation.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · TooManyRequests · GeneralError for a
 * full team, or a player that cannot be invited
 */
export async function inviteMember(
  ctx: Context,
  by: PortalUser,
  input: { readonly clientId: string; readonly player: string; readonly role: MemberRole },
): Promise<void> {
  const { role } = input;
  await withInvitee(ctx, by, { ...input, right: "ownership" }, async (tx, invited) => {
    const { clientId, accountId, name, application } = invited;
    const members = await listMembers(tx, clientId);
    const member = members.find((each) => each.accountId === accountId);
    if (accountId === application.ownerId)
      throw GeneralError.because({ message: "You own this application." });
    if (member)
      throw GeneralError.because({
        message: `${name} is ${member.joinedAt ? "in the team" : "invited"} already.`,
      });
    if (members.length >= mostMembers)
      throw GeneralError.because({
        message: `A team has at most ${mostMembers} members, invitations included. Remove one first.`,
      });
    await insertMember(tx, { clientId, accountId, role, invitedAt: ctx.now() });
    await ctx.audit(tx, by, "application_member.invited", { accountId, clientId, after: { role } });
    await ctx.notify(tx, {
      accountId,
      kind: "team-invitation",
      text: `${application.ownerName} invites you to work on “${application.name}” as ${role}. Accept or decline under Applications.`,
      path: "/developers",
    });
  });
}

/** Locks application and account for `act`. Finds only players that have signed in here. */
async function withInvitee(
  ctx: Context,
  by: PortalUser,
  { clientId, player, right }: Invited,
  act: (
    tx: Queryable,
    invited: MemberKey & { readonly name: string; readonly application: TeamApplication },
  ) => Promise<void>,
): Promise<void> {
  await requireApplication(ctx.database.query, by, clientId, right);
  const window = { policy: "team-invitations", subject: by.accountId, limit: invitationsAMinute };
  await charge(ctx, window, "invitations");
  const typed = player.trim();
  const found = await findPlayers(ctx, typed);
  const named = found.players?.find(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const playerId = found.playerId ?? named?.playerId;
  const invitee = playerId && (await findInvitee(ctx.database.query, playerId));
  if (!invitee) throw noSuchPlayer();
  const { accountId, name } = invitee;
  await ctx.database.transaction(async (tx) => {
    const [present] = await lockTeam(tx, clientId, [accountId]);
    if (!present) throw noSuchPlayer();
    const application = await requireApplication(tx, by, clientId, right);
    await act(tx, { clientId, accountId, name, application });
  });
}

interface Invited {
  readonly clientId: string;
  readonly player: string;
  readonly right: ApplicationRight;
}

function noSuchPlayer() {
  const message = "No player with this name or ID has signed in here. Ask them to sign in first.";
  return GeneralError.because({ message, details: { errors: [{ field: "player", message }] } });
}

/** Accepts an invitation. @throws UnknownOAuthClient without one, or if it was withdrawn */
export async function joinTeam(
  ctx: Context,
  by: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { accountId, name, role, joinedAt } = await lockOwnRow(tx, by, clientId);
    if (joinedAt) return;
    await updateMember(tx, { clientId, accountId }, { joinedAt: ctx.now() });
    await ctx.audit(tx, by, "application_member.joined", { clientId, details: { role } });
    await notifyTeam(ctx, tx, { clientId, right: "ownership" }, (application) => ({
      kind: "team-joined",
      text: `${name} joined the team of “${application}” as ${role}.`,
      path: teamPath(clientId),
    }));
  });
}

/**
 * Leaves the team, or declines an invitation.
 * @throws UnknownOAuthClient · GeneralError for the owner
 */
export async function leaveTeam(
  ctx: Context,
  by: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { accountId, name, role, joinedAt } = await lockOwnRow(tx, by, clientId);
    await deleteMember(tx, { clientId, accountId });
    const lost = joinedAt ? await endAccessOf(ctx, tx, by, { clientId, accountId }) : "";
    await endOutsiderConsent(ctx, tx, by, { of: { clientId, accountId }, reason: "player" });
    const act = joinedAt ? "application_member.left" : "application_member.declined";
    await ctx.audit(tx, by, act, { clientId, details: { role } });
    await notifyTeam(ctx, tx, { clientId, right: "ownership" }, (application) => ({
      kind: joinedAt ? "team-left" : "team-declined",
      text: joinedAt
        ? `${name} left the team of “${application}”.${lost}`
        : `${name} declined your invitation to “${application}”.`,
      path: teamPath(clientId),
    }));
  });
}

async function lockOwnRow(tx: Queryable, by: PortalUser, clientId: string): Promise<TeamMember> {
  if (!isClientId(clientId)) throw UnknownOAuthClient.because();
  const [present] = await lockTeam(tx, clientId, [by.accountId]);
  const application = present ? await findApplication(tx, clientId, by.accountId) : undefined;
  if (application?.role === "owner")
    throw GeneralError.because({
      message: "You own this application. Give it to a member before you leave, or delete it.",
    });
  const member = application && (await findMember(tx, { clientId, playerId: by.playerId }));
  if (!member) throw UnknownOAuthClient.because();
  return member;
}

/**
 * Removes a member, or withdraws an invitation. Secrets that the member created end at once, and
 * endpoints that the member set are paused. The caller checks the confirmation.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · GeneralError without such a member
 */
export async function removeMember(
  ctx: Context,
  by: PortalUser,
  choice: MemberChoice,
): Promise<void> {
  const { clientId } = choice;
  await ctx.database.transaction(async (tx) => {
    const { application, member } = await lockMember(tx, by, choice);
    const { accountId, role, joinedAt } = member;
    await deleteMember(tx, { clientId, accountId });
    if (joinedAt) await endAccessOf(ctx, tx, by, { clientId, accountId });
    await endOutsiderConsent(ctx, tx, by, { of: { clientId, accountId }, reason: "developer" });
    await ctx.audit(tx, by, "application_member.removed", {
      accountId,
      clientId,
      before: { role },
    });
    await ctx.notify(tx, {
      accountId,
      kind: "team-removed",
      text: joinedAt
        ? `You are no longer in the team of “${application.name}”.`
        : `Your invitation to “${application.name}” was withdrawn.`,
    });
  });
}

/**
 * The caller checks the confirmation.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · GeneralError without such a member
 */
export async function changeRole(
  ctx: Context,
  by: PortalUser,
  { role, ...choice }: MemberChoice & { readonly role: MemberRole },
): Promise<void> {
  const { clientId } = choice;
  await ctx.database.transaction(async (tx) => {
    const { application, member } = await lockMember(tx, by, choice);
    const { accountId, joinedAt } = member;
    if (member.role === role) return;
    await updateMember(tx, { clientId, accountId }, { role });
    if (joinedAt && !mayDo(role, "secrets"))
      await endAccessOf(ctx, tx, by, { clientId, accountId });
    await ctx.audit(tx, by, "application_member.changed", {
      accountId,
      clientId,
      before: member,
      after: { role },
    });
    await ctx.notify(tx, {
      accountId,
      kind: "team-role",
      text: joinedAt
        ? `You are now ${role} of “${application.name}”.`
        : `Your invitation to “${application.name}” is now as ${role}.`,
      path: joinedAt ? teamPath(clientId) : "/developers",
    });
  });
}

/** @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · GeneralError without such a member */
export async function lockMember(
  tx: Queryable,
  by: PortalUser,
  { clientId, playerId }: MemberChoice,
): Promise<{ readonly application: TeamApplication; readonly member: TeamMember }> {
  await requireApplication(tx, by, clientId, "ownership");
  const invitee = await findInvitee(tx, playerId);
  await lockTeam(tx, clientId, invitee ? [invitee.accountId] : []);
  const application = await requireApplication(tx, by, clientId, "ownership");
  const member = await findMember(tx, { clientId, playerId });
  if (!member) throw GeneralError.because({ message: "This player is not in the team any more." });
  return { application, member };
}

/** Secrets that a former developer knows must not work on. @returns a sentence for the owner */
export async function endAccessOf(
  ctx: Context,
  tx: Queryable,
  by: Administrator,
  key: MemberKey,
): Promise<string> {
  const { clientId } = key;
  const secrets = await removeMemberSecrets(ctx, tx, by, key);
  const endpoints = await pauseEndpointsOf(tx, key, ctx.now());
  await ctx.audit(
    tx,
    by,
    "webhook.paused",
    endpoints.map((endpointId) => ({ clientId, details: { endpointId } })),
  );
  if (endpoints.length > 0) await ctx.database.notify(tx, eventChannel, "");
  return [
    secrets.length > 0 && `Secrets they created have ended: ${secrets.join(", ")}.`,
    endpoints.length > 0 && `Webhook endpoints they set are paused: ${endpoints.length}.`,
  ]
    .filter(Boolean)
    .map((sentence) => ` ${sentence}`)
    .join("");
}

/** @throws UnknownOAuthClient */
export async function showTeam(
  ctx: Context,
  user: PortalUser,
  { clientId }: { readonly clientId: string },
) {
  const on = ctx.database.query;
  const application = await requireApplication(on, user, clientId, "figures");
  const { role, ownerPlayerId, ownerName } = application;
  const members = await listMembers(on, clientId);
  return {
    role,
    owner: { playerId: ownerPlayerId, name: ownerName },
    /** Only the owner sees invitations. */
    members: members
      .filter(({ joinedAt }) => joinedAt || role === "owner")
      .map(({ accountId: _, clientId: __, ...member }) => member),
  };
}

export const listInvitations = (ctx: Context, { accountId }: PortalUser) =>
  listInvitationsOf(ctx.database, accountId);

/** A webhook's URL may hold a secret of its receiver, and a viewer sees no list of test players. */
const nounsOf = (role: ApplicationRole): string[] => [
  "application",
  "application_member",
  "application_transfer",
  "application_domain",
  "client_secret",
  "verification_request",
  ...(mayDo(role, "settings") ? ["application_tester"] : []),
  ...(mayDo(role, "webhooks") ? ["webhook", "webhook_secret"] : []),
];

/**
 * Covers 90 days, newest first.
 * @throws UnknownOAuthClient
 */
export async function showHistory(
  ctx: Context,
  user: PortalUser,
  { clientId, ...asked }: { readonly clientId: string; readonly before?: string | undefined },
) {
  const { role } = await requireApplication(ctx.database.query, user, clientId, "figures");
  return listApplicationHistory(ctx, { clientId, nouns: nounsOf(role), ...asked });
}

/** @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW */
export async function listTestPlayers(
  ctx: Context,
  user: PortalUser,
  { clientId }: { readonly clientId: string },
) {
  const on = ctx.database.query;
  await requireApplication(on, user, clientId, "settings");
  return listTesters(on, clientId);
}

/**
 * The player need not accept, because the consent page asks anyway.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · TooManyRequests · GeneralError for a
 * full list, an application that is open, or a player that cannot be added
 */
export async function addTestPlayer(
  ctx: Context,
  by: PortalUser,
  input: { readonly clientId: string; readonly player: string },
): Promise<void> {
  await withInvitee(ctx, by, { ...input, right: "settings" }, async (tx, invited) => {
    const { clientId, accountId, name, application } = invited;
    if (application.openedAt)
      throw GeneralError.because({
        message: "The application is open: any player can approve it.",
      });
    if (await mayApprove(tx, { clientId, accountId }))
      throw GeneralError.because({ message: `${name} can approve it already.` });
    if ((await listTesters(tx, clientId)).length >= mostTestPlayers)
      throw GeneralError.because({
        message: `An application has at most ${mostTestPlayers} test players. Remove one first.`,
      });
    await insertTester(tx, { clientId, accountId, addedAt: ctx.now() });
    await ctx.audit(tx, by, "application_tester.added", { accountId, clientId });
    await ctx.notify(tx, {
      accountId,
      kind: "test-player-added",
      text: `You can test “${application.name}” by ${application.ownerName} before it opens to players. It still needs your approval when you connect it.`,
    });
  });
}

/**
 * Ends the player's consent, unless the player is in the team too.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · GeneralError without such a test player
 */
export async function removeTestPlayer(
  ctx: Context,
  by: PortalUser,
  { clientId, playerId }: MemberChoice,
): Promise<void> {
  await requireApplication(ctx.database.query, by, clientId, "settings");
  await ctx.database.transaction(async (tx) => {
    const tester = await findTester(tx, { clientId, playerId });
    await lockTeam(tx, clientId, tester ? [tester.accountId] : []);
    const { name } = await requireApplication(tx, by, clientId, "settings");
    const key = tester && { clientId, accountId: tester.accountId };
    if (!key || !(await deleteTester(tx, key)))
      throw GeneralError.because({ message: "This player is no longer a test player." });
    await ctx.audit(tx, by, "application_tester.removed", key);
    const ended = await endOutsiderConsent(ctx, tx, by, { of: key, reason: "developer" });
    await ctx.notify(tx, {
      accountId: key.accountId,
      kind: "test-player-removed",
      text: `You no longer test “${name}”.${ended ? " Access that you gave it has ended." : ""}`,
    });
  });
}
