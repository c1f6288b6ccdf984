import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { UnknownElement } from "#server/failures";
import { isUuid } from "#server/platform/ids";
import { covers, takeAway } from "#server/scopes";
import { endGrants } from "../grants/end-store";
import { grantNarrowed, grantPaused, grantResumed, recordGrantEvents } from "../grants/events";
import { knownScopes } from "../scope-list";
import { changeConsent, endConsents, lockOwnConsent, type OwnConsent } from "./store";

/**
 * The user's live consent, held until the end of the transaction.
 * @throws UnknownElement for another's, an ended one and one that never was, all alike
 */
export async function requireOwnConsent(
  ctx: Context,
  tx: Queryable,
  own: { readonly user: PortalUser; readonly consentId: string },
): Promise<OwnConsent> {
  const key = { id: own.consentId, accountId: own.user.accountId };
  const consent = isUuid(key.id) ? await lockOwnConsent(tx, key, ctx.now()) : undefined;
  if (!consent)
    throw UnknownElement.because({ message: "The application has no access to change." });
  return consent;
}

/**
 * Stops an application for as long as the user likes: its calls are refused from this moment and its tokens cannot be
 * refreshed, but nothing is lost. Pausing what is paused changes nothing.
 * @throws UnknownElement when the user has no such live consent
 */
export async function pauseConsent(
  ctx: Context,
  user: PortalUser,
  consentId: string,
  origin: Origin,
): Promise<void> {
  const { accountId } = user;
  const now = ctx.now();
  await ctx.database.transaction(async (tx) => {
    const { clientId, paused } = await requireOwnConsent(ctx, tx, { user, consentId });
    if (paused) return;
    await changeConsent(tx, consentId, { pausedAt: now, updatedAt: now });
    const actor = `account:${accountId}`;
    await ctx.audit(tx, {
      act: "consent-paused",
      actor,
      accountId,
      clientId,
      origin,
      details: { consentId },
    });
    await ctx.announceRevocation(tx, { consentId });
    await recordGrantEvents(ctx, tx, { consentId }, { type: grantPaused, reason: "player" });
  });
}

/**
 * Lets a paused application go on where it was stopped. Every instance is told, so that none goes on refusing what it
 * remembers as paused.
 * @throws UnknownElement when the user has no such live consent
 */
export async function resumeConsent(
  ctx: Context,
  user: PortalUser,
  consentId: string,
  origin: Origin,
): Promise<void> {
  const { accountId } = user;
  const now = ctx.now();
  await ctx.database.transaction(async (tx) => {
    const { clientId, paused } = await requireOwnConsent(ctx, tx, { user, consentId });
    if (!paused) return;
    await changeConsent(tx, consentId, { pausedAt: null, updatedAt: now });
    const actor = `account:${accountId}`;
    await ctx.audit(tx, {
      act: "consent-resumed",
      actor,
      accountId,
      clientId,
      origin,
      details: { consentId },
    });
    await ctx.announceRevocation(tx, { consentId });
    await recordGrantEvents(ctx, tx, { consentId }, { type: grantResumed });
  });
}

/**
 * Takes some of its scopes from an application. Tokens on all devices lose them at this moment, and a refresh gives tokens
 * without them. Nothing is ever added: what is named to be kept and was not allowed is passed over.
 * @param narrowed.shown what the player saw and could have taken; what was allowed since then stays
 * @throws UnknownElement when the user has no such live consent
 */
export async function narrowConsent(
  ctx: Context,
  user: PortalUser,
  narrowed: {
    readonly consentId: string;
    readonly shown: readonly string[];
    readonly keep: readonly string[];
  },
  origin: Origin,
): Promise<void> {
  const { consentId, shown, keep } = narrowed;
  const unticked = knownScopes(shown.filter((scope) => !keep.includes(scope)));
  const { accountId } = user;
  await ctx.database.transaction(async (tx) => {
    const { clientId, scopes: held } = await requireOwnConsent(ctx, tx, { user, consentId });
    const unkept = held.filter((scope) => covers(unticked, scope) && !keep.includes(scope));
    const scopes = takeAway(held, unkept);
    const lost = held.filter((scope) => !scopes.includes(scope));
    if (lost.length === 0) return;
    await changeConsent(tx, consentId, { scopes, updatedAt: ctx.now() });
    const actor = `account:${accountId}`;
    const details = { consentId, scopes, lost };
    await ctx.audit(tx, { act: "consent-narrowed", actor, accountId, clientId, origin, details });
    await ctx.announceRevocation(tx, { consentId });
    await recordGrantEvents(ctx, tx, { consentId }, { type: grantNarrowed });
  });
}

/**
 * Takes back what the user allowed an application: its tokens on all devices are dead from this moment.
 * @throws UnknownElement when the user has no such live consent
 */
export async function revokeConsent(
  ctx: Context,
  user: PortalUser,
  consentId: string,
  origin: Origin,
): Promise<void> {
  const { accountId } = user;
  const known = isUuid(consentId);
  const ended = known ? await endConsentsOf(ctx, { accountId, id: consentId }, origin) : 0;
  if (ended === 0)
    throw UnknownElement.because({ message: "The application has no access to revoke." });
}

/** Takes back everything that the user allowed any application. @returns how many consents that were */
export const revokeAllConsents = (
  ctx: Context,
  { accountId }: PortalUser,
  origin: Origin,
): Promise<number> => endConsentsOf(ctx, { accountId }, origin);

function endConsentsOf(
  ctx: Context,
  of: { readonly accountId: string; readonly id?: string },
  origin: Origin,
): Promise<number> {
  const { accountId, id: consentId } = of;
  const now = ctx.now();
  return ctx.database.transaction(async (tx) => {
    const ended = await endConsents(tx, of, now);
    if (ended.length === 0) return 0;
    for (const { id, clientId } of ended)
      await ctx.audit(tx, {
        act: "consent-revoked",
        actor: `account:${accountId}`,
        accountId,
        clientId,
        origin,
        details: { consentId: id },
      });
    await ctx.announceRevocation(tx, consentId === undefined ? { accountId } : { consentId });
    const consentIds = ended.map(({ id }) => id);
    await endGrants(ctx, tx, { consentIds }, { reason: "player", now });
    return ended.length;
  });
}
