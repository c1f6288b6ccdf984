import type { Queryable } from "#db/client";
import type { Administrator, PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { endOutsiderConsent } from "../../consents/consent-acts";
import { notifyPlayersOf } from "../../consents/store";
import {
  applicationQueryLimit,
  assertApplicationQuota,
  assertFreeName,
  endApplication,
} from "../application-acts";
import { lockApplication, requireApplication, type TeamApplication } from "../own-applications";
import { listApplicationSummaries, lockApplicationRow, saveApplication } from "../store";
import { withdrawProof } from "../verification/domain-acts";
import { withdrawOpenRequest } from "../verification/verification-requests";
import { notifyTeam } from "./notify-team";
import {
  deleteMember,
  findMember,
  findSuccessor,
  insertMember,
  listMemberships,
  lockTeam,
  type TeamMember,
  updateMember,
  withdrawTransferOffers,
} from "./store";
import { endAccessOf, lockMember, type MemberChoice, teamPath } from "./team-acts";

const nameOf = ({ name, playerId }: Pick<TeamMember, "name" | "playerId">) =>
  `${name} [${playerId}]`;

/**
 * A new offer replaces the last. The caller checks the confirmation.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · GeneralError without such a member
 */
export async function offerApplication(
  ctx: Context,
  by: PortalUser,
  choice: MemberChoice,
): Promise<void> {
  const { clientId } = choice;
  await ctx.database.transaction(async (tx) => {
    const { application, member } = await lockMember(tx, by, choice);
    const { accountId } = member;
    if (!member.joinedAt)
      throw GeneralError.because({
        message: `${member.name} has not accepted the invitation yet.`,
      });
    await withdrawTransferOffers(tx, clientId);
    await updateMember(tx, { clientId, accountId }, { offeredAt: ctx.now() });
    await ctx.audit(tx, by, "application_transfer.offered", { accountId, clientId });
    await ctx.notify(tx, {
      accountId,
      kind: "application-offered",
      text: `${application.ownerName} offers you the ownership of “${application.name}”. Accept or decline on its team page.`,
      path: teamPath(clientId),
    });
  });
}

/**
 * The owner withdraws the offer, or the member declines it. Idempotent.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW
 */
export async function withdrawOffer(
  ctx: Context,
  by: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { role } = await lockApplication(tx, by, clientId, "figures");
    const own = await findMember(tx, { clientId, playerId: by.playerId });
    if (role !== "owner" && !own?.offeredAt) return;
    if (!(await withdrawTransferOffers(tx, clientId))) return;
    await ctx.audit(tx, by, "application_transfer.withdrawn", { clientId });
  });
}

/**
 * The former owner stays as a developer. Players are asked for consent once more. The caller checks
 * the confirmation.
 * @throws UnknownOAuthClient · GeneralError without an offer, at the limit of applications, or with
 * another application of its name
 */
export async function acceptApplication(
  ctx: Context,
  by: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { ownerId } = await requireApplication(tx, by, clientId, "figures");
    const present = await lockTeam(tx, clientId, [by.accountId, ownerId]);
    const application = await requireApplication(tx, by, clientId, "figures");
    const member = await findMember(tx, { clientId, playerId: by.playerId });
    // A banned owner cannot stay in the team.
    const areBoth = [by.accountId, application.ownerId].every((id) => present.includes(id));
    if (!areBoth || !member?.offeredAt)
      throw GeneralError.because({ message: "This application is no longer offered to you." });
    await assertApplicationQuota(ctx, tx, by.accountId);
    const { name } = application;
    await assertFreeName(ctx, tx, { name, ownerId: by.accountId, clientId });
    await moveApplication(ctx, tx, by, { application, to: member });
    await insertMember(tx, {
      clientId,
      accountId: application.ownerId,
      role: "developer",
      invitedAt: ctx.now(),
      joinedAt: ctx.now(),
    });
    await notifyTeam(ctx, tx, { clientId, right: "figures" }, () => ({
      kind: "application-transferred",
      text: `“${name}” now belongs to ${nameOf(member)}. ${application.ownerName} stays as developer.`,
      path: teamPath(clientId),
    }));
  });
}

interface Move {
  readonly application: TeamApplication;
  readonly to: TeamMember;
}

/** Verification and domain proof end, because they were given to the former owner. */
async function moveApplication(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  { application, to }: Move,
): Promise<void> {
  const { clientId, name, version, verified } = application;
  const now = ctx.now();
  await withdrawTransferOffers(tx, clientId);
  await deleteMember(tx, { clientId, accountId: to.accountId });
  await withdrawOpenRequest(ctx, tx, by, { clientId });
  const unmarked = { ...application, verified: false };
  await withdrawProof(ctx, tx, by, { application: unmarked, why: "new owner" });
  await saveApplication(tx, clientId, {
    ownerId: to.accountId,
    version: version + 1,
    updatedAt: now,
    verifiedAt: null,
  });
  await ctx.audit(tx, by, "application.transferred", {
    clientId,
    before: { owner: nameOf({ name: application.ownerName, playerId: application.ownerPlayerId }) },
    after: { owner: nameOf(to) },
  });
  if (verified)
    await ctx.audit(tx, by, "application.unverified", {
      clientId,
      details: { name, changed: ["owner"] },
    });
  const notice = {
    kind: "application-transferred",
    text: `“${name}” now belongs to ${nameOf(to)}. It keeps the access that you gave it, and asks you once more when you connect it again.`,
    path: `/account/apps/${clientId}`,
  };
  await notifyPlayersOf(tx, { clientId, except: by.accountId, notice }, now);
  await ctx.tokens.announceRevocation(tx, { clientId });
}

/**
 * Runs in the transaction that deletes the account. An application goes to its longest-standing
 * developer, else viewer; without members it ends.
 */
export async function handOverApplications(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
): Promise<{ readonly ended: number; readonly handedOver: number }> {
  const own = await listApplicationSummaries(tx, {
    accountId: by.accountId,
    right: "ownership",
    limit: applicationQueryLimit,
  });
  let handedOver = 0;
  for (const { clientId } of own) {
    const application = await lockApplication(tx, by, clientId, "ownership");
    const to = await findSuccessor(tx, clientId);
    if (!to) {
      await endApplication(ctx, tx, by, application);
      continue;
    }
    handedOver += 1;
    await moveApplication(ctx, tx, by, { application, to });
    await notifyTeam(ctx, tx, { clientId, right: "figures" }, () => ({
      kind: "application-transferred",
      text: `${application.ownerName} deleted their account. “${application.name}” now belongs to ${nameOf(to)}. Replace secrets that ${application.ownerName} has seen.`,
      path: teamPath(clientId),
    }));
  }
  return { ended: own.length - handedOver, handedOver };
}

/** Runs in the transaction that deletes or bans the account. */
export async function leaveTeams(
  ctx: Context,
  tx: Queryable,
  by: Administrator,
  accountId: string,
): Promise<void> {
  for (const { clientId, name, role, joinedAt } of await listMemberships(tx, accountId)) {
    await lockApplicationRow(tx, clientId);
    await deleteMember(tx, { clientId, accountId });
    if (!joinedAt) continue;
    const lost = await endAccessOf(ctx, tx, by, { clientId, accountId });
    // The deletion of an account ends all its consents anyway.
    if (by.kind === "operator" || by.accountId !== accountId)
      await endOutsiderConsent(ctx, tx, by, { of: { clientId, accountId }, reason: "admin" });
    await ctx.audit(tx, by, "application_member.left", { accountId, clientId, details: { role } });
    await notifyTeam(ctx, tx, { clientId, right: "ownership" }, (application) => ({
      kind: "team-left",
      text: `${name} is no longer in the team of “${application}”.${lost}`,
      path: teamPath(clientId),
    }));
  }
}
