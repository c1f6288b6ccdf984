import { afterCommit, type Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import { assertConfirmed } from "#server/auth/confirmation";
import type { Context } from "#server/context";
import { GeneralError, UnknownOAuthClient } from "#server/failures";
import { changedIdentity, missingForPlayers } from "./application-fields";
import { isSameName, skeleton } from "./application-name";
import { type ClientKind, newClientId } from "./client";
import type { ApplicationChanges, ApplicationInput } from "./contract";
import { endLiveGrants } from "./live-grants/store";
import { requireOwnApplication } from "./own-applications";
import { addSecret } from "./secrets/secret-acts";
import {
  countOwnApplications,
  countOwnApplicationsInTurn,
  deleteOwnApplication,
  insertApplication,
  lockOwnApplication,
  nameOwnApplications,
  openOwnApplication,
  updateOwnApplication,
} from "./store";

const mostApplications = 100_000;

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
    const most = ctx.settings.applicationsPerDeveloper;
    if ((await countOwnApplicationsInTurn(tx, by.accountId)) >= most)
      throw GeneralError.because({
        message: `You have ${most} applications, the most a developer can have. Delete one you don't need.`,
      });
    await assertFreeName(ctx, tx, { name: input.name, ownerId: by.accountId });
    await insertApplication(tx, {
      ...input,
      clientId,
      ownerId: by.accountId,
      createdAt: ctx.now(),
      // A complete application needs no separate opening.
      openedAt: missingForPlayers(input.kind, input).length === 0 ? ctx.now() : null,
    });
    await ctx.audit(tx, by, "application.created", { clientId, after: input });
    if (input.kind === "public") return { clientId, clientSecret: null };
    const { secret } = await addSecret(ctx, tx, {
      clientId,
      name: "First secret",
      livesDays: null,
    });
    return { clientId, clientSecret: secret };
  });
}

/** Optimistic locking: refused if another edit was saved meanwhile. */
type ApplicationUpdate =
  | { readonly kind: "saved"; readonly version: number }
  | { readonly kind: "outdated" };

/**
 * A removed scope or redirect URI ends at once, also in issued tokens. A changed verified field
 * removes the mark. New redirect URIs need a confirmation, because codes go there.
 * @throws ConfirmationWanted · UnknownOAuthClient · GeneralError if information for players is
 * missing
 */
export async function updateApplication(
  ctx: Context,
  by: PortalUser,
  edit: ApplicationChanges & { readonly clientId: string; readonly version: number },
): Promise<ApplicationUpdate> {
  const { clientId, version, name, redirectUris, scopes, optionalScopes } = edit;
  const changes = {
    ...{ name, redirectUris, scopes, optionalScopes },
    description: edit.description,
    emblemSign: edit.emblemSign,
    emblemColour: edit.emblemColour,
    clientUri: edit.clientUri,
    tosUri: edit.tosUri,
    privacyUri: edit.privacyUri,
    privacy: edit.privacy,
  };
  return ctx.database.transaction(async (tx) => {
    const before = await requireOwnApplication(tx, by, clientId);
    if (before.openedAt) assertComplete(before.kind, changes);
    if (before.version !== version) return { kind: "outdated" };
    const changed = changedIdentity(before, changes);
    if (changed.includes("name"))
      await assertFreeName(ctx, tx, { name, ownerId: by.accountId, clientId });
    if (changed.includes("redirectUris")) assertConfirmed(ctx, by);
    const unverified = before.verified && changed.length > 0;
    const key = { clientId, ownerId: by.accountId, version };
    const now = ctx.now();
    const saved = await updateOwnApplication(tx, key, {
      ...changes,
      updatedAt: now,
      ...(unverified && { verifiedAt: null }),
    });
    if (!saved) return { kind: "outdated" };
    const details = { name, version: version + 1 };
    await ctx.audit(tx, by, "application.updated", {
      clientId,
      details,
      before,
      after: { ...before, ...changes },
    });
    if (unverified)
      await ctx.audit(tx, by, "application.unverified", { clientId, details: { name, changed } });
    await ctx.tokens.announceRevocation(tx, { clientId });
    return { kind: "saved", version: version + 1 };
  });
}

/** @throws GeneralError for the game's own name, or a name that the owner already uses */
async function assertFreeName(
  ctx: Context,
  tx: Queryable,
  named: { readonly name: string; readonly ownerId: string; readonly clientId?: string },
): Promise<void> {
  const { name, ownerId, clientId } = named;
  const { gameName } = ctx.settings;
  if (skeleton(name) === skeleton(gameName))
    throw refusedName(`A name cannot be “${gameName}” alone: that is the game.`);
  await countOwnApplicationsInTurn(tx, ownerId);
  const own = await nameOwnApplications(tx, { ownerId, limit: mostApplications });
  if (own.some((other) => other.clientId !== clientId && isSameName(other.name, name)))
    throw refusedName("You have another application of this name.");
}

const refusedName = (message: string) =>
  GeneralError.because({
    message: "Some fields are not right yet.",
    details: { errors: [{ field: "name", message }] },
  });

/**
 * Idempotent.
 * @throws UnknownOAuthClient · GeneralError if information for players is missing
 */
export async function openApplication(
  ctx: Context,
  by: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await lockOwnApplication(tx, { clientId, ownerId: by.accountId });
    const application = await requireOwnApplication(tx, by, clientId);
    if (application.openedAt) return;
    assertComplete(application.kind, application);
    await openOwnApplication(tx, { clientId, ownerId: by.accountId }, ctx.now());
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

/** Runs in the caller's transaction. @returns false if there was none to end */
export async function endApplication(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  ended: { readonly clientId: string; readonly name: string },
): Promise<boolean> {
  const { clientId, name } = ended;
  const now = ctx.now();
  if (!(await deleteOwnApplication(tx, { clientId, ownerId: by.accountId }, now))) return false;
  await ctx.audit(tx, by, "application.deleted", { clientId, details: { name } });
  await endLiveGrants(
    tx,
    { clientId, now },
    {
      reason: "developer",
      by,
      act: "grant.revoked_by_developer",
      notice: {
        kind: "application-deleted",
        text: `The developer of “${name}” deleted it. Its access has ended; you don't need to do anything.`,
      },
    },
  );
  await ctx.tokens.announceRevocation(tx, { clientId });
  afterCommit(tx, ctx.events.sequencer.wake);
  return true;
}

export async function endOwnApplications(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
): Promise<number> {
  const own = await nameOwnApplications(tx, { ownerId: by.accountId, limit: mostApplications });
  for (const application of own) await endApplication(ctx, tx, by, application);
  return own.length;
}

/**
 * The row stays, for the names in history; tokens, codes and consents end at once. The caller
 * checks the confirmation.
 * @throws UnknownOAuthClient · GeneralError if `confirmName` is not the name
 */
export async function deleteApplication(
  ctx: Context,
  by: PortalUser,
  { clientId, confirmName }: { readonly clientId: string; readonly confirmName: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { name } = await requireOwnApplication(tx, by, clientId);
    if (name !== confirmName.trim())
      throw GeneralError.because({
        message: "Type the application's name exactly as shown above.",
      });
    if (!(await endApplication(ctx, tx, by, { clientId, name })))
      throw UnknownOAuthClient.because();
  });
}

export async function countRoom(
  ctx: Context,
  user: PortalUser,
): Promise<{ most: number; left: number }> {
  const most = ctx.settings.applicationsPerDeveloper;
  const own = await countOwnApplications(ctx.database.query, user.accountId);
  return { most, left: Math.max(0, most - own) };
}

export const ownsApplications = async (ctx: Context, user: PortalUser): Promise<boolean> =>
  (await countOwnApplications(ctx.database.query, user.accountId)) > 0;
