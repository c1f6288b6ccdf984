import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import { assertConfirmed } from "#server/auth/confirmation";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import type { ClientKind } from "./client";
import { missingForPlayers } from "./completeness";
import type { ApplicationChanges } from "./contract";
import { changedIdentity } from "./identity";
import { requireOwnApplication } from "./own-applications";
import { updateOwnApplication } from "./store";

/** What became of an edit: saved as a new version, or refused because another was saved since it began. */
export type ApplicationUpdate = { readonly kind: "saved"; readonly version: number } | { readonly kind: "outdated" };

/**
 * Changes what a developer said of an application. A scope or redirect URI that is taken away ends at once, also in tokens
 * already issued. A change of what an admin verified takes the mark away. Other redirect URIs want a confirmation: codes go
 * there.
 * @param edit.version the version that the edit began with
 * @throws ConfirmationWanted · UnknownOAuthClient · GeneralError when players could no longer be told who asks
 */
export async function updateApplication(
  ctx: Context,
  user: PortalUser,
  edit: ApplicationChanges & { readonly clientId: string; readonly version: number },
  origin: Origin,
): Promise<ApplicationUpdate> {
  const { clientId, version, name, redirectUris, scopes, optionalScopes, clientUri, tosUri, privacyUri, privacy } =
    edit;
  const changes = { name, redirectUris, scopes, optionalScopes, clientUri, tosUri, privacyUri, privacy };
  return ctx.database.transaction(async (tx) => {
    const before = await requireOwnApplication(tx, user, clientId);
    if (missingForPlayers(before.kind, before).length === 0) assertStillComplete(before.kind, changes);
    if (before.version !== version) return { kind: "outdated" };
    const changed = changedIdentity(before, changes);
    if (changed.includes("redirectUris")) assertConfirmed(ctx, user);
    const unverified = before.verified && changed.length > 0;
    const key = { clientId, ownerId: user.accountId, version };
    const now = ctx.now();
    const saved = await updateOwnApplication(tx, key, {
      ...changes,
      updatedAt: now,
      ...(unverified && { verifiedAt: null }),
    });
    if (saved === undefined) return { kind: "outdated" };
    const who = { actor: `account:${user.accountId}`, accountId: user.accountId, clientId };
    const details = { name, scopes, optionalScopes, redirectUris, version: saved };
    await ctx.audit(tx, { ...who, act: "application-updated", origin, details });
    if (unverified) await ctx.audit(tx, { ...who, act: "application-unverified", origin, details: { name, changed } });
    await ctx.announceRevocation(tx, { clientId });
    return { kind: "saved", version: saved };
  });
}

/** Other players may have approved it, relying on what they were told. */
function assertStillComplete(kind: ClientKind, changes: ApplicationChanges): void {
  const missing = missingForPlayers(kind, changes);
  if (missing.length === 0) return;
  const errors = missing.map(({ field }) => ({
    field,
    message: "Other players can use the application: this is needed.",
  }));
  throw GeneralError.because({ message: "Some fields are not right yet.", details: { errors } });
}
