import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import { assertConfirmed } from "#server/auth/confirmation";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { portalRefusal } from "#server/portal-refusal";
import { changedIdentityFields, missingForPlayers } from "./application-fields";
import { confusableSkeleton, isSameName } from "./application-name";
import { type ClientKind, newClientId } from "./client";
import type { ApplicationChanges, ApplicationInput } from "./contract";
import { endLiveGrants } from "./live-grants/store";
import { lockApplication, requireApplication } from "./own-applications";
import { addSecret } from "./secrets/secret-acts";
import {
  type Application,
  countOwnApplications,
  insertApplication,
  listApplicationSummaries,
  lockAccountRow,
  saveApplication,
} from "./store";
import { deleteTeam, deleteTesters } from "./team/store";
import { deleteVerification } from "./verification/store";

export const applicationQueryLimit = 100_000;

interface NewCredentials {
  readonly clientId: string;
  readonly clientSecret: string | null;
}

/** @throws GeneralError at the developer's limit */
export async function registerApplication(
  ctx: Context,
  by: PortalUser,
  input: ApplicationInput,
): Promise<NewCredentials> {
  const clientId = newClientId(ctx.ids.bytes);
  return ctx.database.transaction(async (tx) => {
    await assertApplicationQuota(ctx, tx, by.accountId);
    await assertFreeName(ctx, tx, { name: input.name, ownerId: by.accountId });
    await insertApplication(tx, {
      ...input,
      clientId,
      ownerId: by.accountId,
      createdAt: ctx.now(),
      // A complete application is open to players from the start.
      openedAt: missingForPlayers(input.kind, input).length === 0 ? ctx.now() : null,
    });
    await ctx.audit(tx, by, "application.created", { clientId, after: audited(input) });
    await ctx.notify(tx, {
      accountId: by.accountId,
      kind: "application-registered",
      isRead: true,
      text: `You registered the application “${input.name}”. If that was not you, delete it and end your other sessions.`,
      path: `/developers/apps/${clientId}`,
    });
    if (input.kind === "public") return { clientId, clientSecret: null };
    const { secret } = await addSecret(ctx, tx, by, {
      clientId,
      name: "First secret",
      livesDays: null,
    });
    return { clientId, clientSecret: secret };
  });
}

/** Locks the account. @throws GeneralError at the developer's limit */
export async function assertApplicationQuota(
  ctx: Context,
  tx: Queryable,
  ownerId: string,
): Promise<void> {
  const most = ctx.settings.applicationsPerDeveloper;
  await lockAccountRow(tx, ownerId);
  if ((await countOwnApplications(tx, ownerId)) >= most)
    throw GeneralError.because({
      message: `You have ${most} applications, the most a developer can have. Delete one you don't need.`,
    });
}

const outdated = () =>
  portalRefusal({
    status: 409,
    reason: "APPLICATION_CHANGED",
    message:
      "This application changed in another tab, and nothing was saved. Copy what you typed, then read it again.",
  });

/**
 * A removed scope ends at once, in issued tokens too. A changed identity ends the verification.
 * Changed redirect URIs need a confirmation, because codes are sent to them.
 * @throws ConfirmationWanted · UnknownOAuthClient · PortalRefusal APPLICATION_CHANGED for another
 * version · GeneralError if information for players is missing
 */
export async function updateApplication(
  ctx: Context,
  by: PortalUser,
  edit: ApplicationChanges & { readonly clientId: string; readonly version: number },
): Promise<{ version: number }> {
  const { clientId, version, name, redirectUris, scopes, optionalScopes } = edit;
  const changes = {
    name,
    redirectUris,
    scopes,
    optionalScopes,
    description: edit.description,
    emblemSign: edit.emblemSign,
    emblemColour: edit.emblemColour,
    clientUri: edit.clientUri,
    tosUri: edit.tosUri,
    privacyUri: edit.privacyUri,
    privacy: edit.privacy,
  };
  return ctx.database.transaction(async (tx) => {
    const shown = await requireApplication(tx, by, clientId, "settings");
    if (shown.openedAt) assertComplete(shown.kind, changes);
    if (shown.version !== version) throw outdated();
    // Locks the owner's account before the application, in the lock order of a ban.
    if (shown.name !== name)
      await assertFreeName(ctx, tx, { name, ownerId: shown.ownerId, clientId });
    const before = await lockApplication(tx, by, clientId, "settings");
    if (before.version !== version) throw outdated();
    const changed = changedIdentityFields(before, changes);
    if (changed.includes("redirectUris")) assertConfirmed(ctx, by);
    const unverified = before.verified && changed.length > 0;
    const saved = version + 1;
    await saveApplication(tx, clientId, {
      ...changes,
      version: saved,
      updatedAt: ctx.now(),
      ...(unverified && { verifiedAt: null }),
    });
    const details = { name, version: saved };
    await ctx.audit(tx, by, "application.updated", {
      clientId,
      details,
      before: audited(before),
      after: audited({ ...before, ...changes }),
    });
    if (unverified)
      await ctx.audit(tx, by, "application.unverified", { clientId, details: { name, changed } });
    await ctx.tokens.announceRevocation(tx, { clientId });
    return { version: saved };
  });
}

/** Makes each privacy statement a field of its own in the audit log. */
const audited = (row: Pick<ApplicationChanges, "privacy">) => ({ ...row, ...row.privacy });

/** @throws GeneralError for the game's own name, or a name that the owner already uses */
export async function assertFreeName(
  ctx: Context,
  tx: Queryable,
  named: { readonly name: string; readonly ownerId: string; readonly clientId?: string },
): Promise<void> {
  const { name, ownerId, clientId } = named;
  const { gameName } = ctx.settings;
  if (confusableSkeleton(name) === confusableSkeleton(gameName))
    throw refusedName(`A name cannot be “${gameName}” alone: that is the game.`);
  await lockAccountRow(tx, ownerId);
  const own = await listApplicationSummaries(tx, {
    accountId: ownerId,
    right: "ownership",
    limit: applicationQueryLimit,
  });
  if (own.some((other) => other.clientId !== clientId && isSameName(other.name, name)))
    throw refusedName("The owner has another application of this name.");
}

const refusedName = (message: string) =>
  GeneralError.because({
    message: "Some fields are not right yet.",
    details: { errors: [{ field: "name", message }] },
  });

/**
 * Idempotent and final. The list of test players is deleted, but their consents stay.
 * @throws UnknownOAuthClient · GeneralError if information for players is missing
 */
export async function openToPlayers(
  ctx: Context,
  by: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const application = await lockApplication(tx, by, clientId, "ownership");
    if (application.openedAt) return;
    assertComplete(application.kind, application);
    await saveApplication(tx, clientId, { openedAt: ctx.now() });
    await deleteTesters(tx, clientId);
    const details = { name: application.name };
    await ctx.audit(tx, by, "application.opened", { clientId, details });
    await ctx.tokens.announceRevocation(tx, { clientId });
  });
}

function assertComplete(kind: ClientKind, told: Parameters<typeof missingForPlayers>[1]): void {
  const missing = missingForPlayers(kind, told);
  if (missing.length === 0) return;
  const errors = missing.map(({ field }) => ({
    field,
    message: "Players are told this before they approve: it is needed.",
  }));
  throw GeneralError.because({ message: "Some fields are not right yet.", details: { errors } });
}

/** Needs the application's lock. */
export async function endApplication(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  ended: Pick<Application, "clientId" | "name" | "version">,
): Promise<void> {
  const { clientId, name } = ended;
  const now = ctx.now();
  await saveApplication(tx, clientId, {
    updatedAt: now,
    deletedAt: now,
    version: ended.version + 1,
  });
  await deleteTeam(tx, clientId);
  await deleteTesters(tx, clientId);
  await deleteVerification(tx, clientId);
  await ctx.audit(tx, by, "application.deleted", { clientId, details: { name } });
  await endLiveGrants(ctx, tx, by, {
    of: { clientId },
    reason: "developer",
    notice: {
      kind: "application-deleted",
      text: `The developer of “${name}” deleted it. Its access has ended; you don't need to do anything.`,
    },
  });
  await ctx.tokens.announceRevocation(tx, { clientId });
}

/**
 * The row stays, because histories name the application. The caller checks the confirmation.
 * @throws UnknownOAuthClient · GeneralError if `confirmName` is not the name
 */
export async function deleteApplication(
  ctx: Context,
  by: PortalUser,
  { clientId, confirmName }: { readonly clientId: string; readonly confirmName: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const application = await lockApplication(tx, by, clientId, "ownership");
    if (application.name !== confirmName.trim())
      throw GeneralError.because({
        message: "Type the application's name exactly as shown above.",
      });
    await endApplication(ctx, tx, by, application);
  });
}

export async function readApplicationQuota(
  ctx: Context,
  user: PortalUser,
): Promise<{ most: number; left: number }> {
  const most = ctx.settings.applicationsPerDeveloper;
  const own = await countOwnApplications(ctx.database.query, user.accountId);
  return { most, left: Math.max(0, most - own) };
}

export async function hasApplications(ctx: Context, { accountId }: PortalUser): Promise<boolean> {
  const any = { accountId, right: "figures", limit: 1 } as const;
  return (await listApplicationSummaries(ctx.database.query, any)).length > 0;
}
