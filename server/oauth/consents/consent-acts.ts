import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import { assertConfirmed } from "#server/auth/confirmation";
import type { Context } from "#server/context";
import { UnknownElement } from "#server/failures";
import { isUuid } from "#server/platform/ids";
import { covers, scopeNames, takeAway } from "#server/scopes";
import { endGrants } from "../grants/end-store";
import {
  grantApproved,
  grantNarrowed,
  grantPaused,
  grantResumed,
  recordGrantEvents,
} from "../grants/events";
import { knownScopes } from "../scope-list";
import { approvalDays, endAfter } from "./approval-days";
import {
  changeConsent,
  endConsents,
  lockOwnConsent,
  moveGrantEnds,
  type OwnConsent,
} from "./store";

interface OneConsent {
  readonly consentId: string;
}

/**
 * Locks until the end of the transaction.
 * @throws UnknownElement alike for a foreign, ended or unknown consent
 */
export async function requireOwnConsent(
  ctx: Context,
  tx: Queryable,
  own: OneConsent & { readonly by: PortalUser },
): Promise<OwnConsent> {
  const key = { id: own.consentId, accountId: own.by.accountId };
  const consent = isUuid(key.id) ? await lockOwnConsent(tx, key, ctx.now()) : undefined;
  if (!consent)
    throw UnknownElement.because({ message: "The application has no access to change." });
  return consent;
}

/**
 * Idempotent; tokens are kept.
 * @throws UnknownElement without such a live consent
 */
export async function pauseConsent(
  ctx: Context,
  by: PortalUser,
  { consentId }: OneConsent,
): Promise<void> {
  const now = ctx.now();
  await ctx.database.transaction(async (tx) => {
    const { clientId, paused } = await requireOwnConsent(ctx, tx, { by, consentId });
    if (paused) return;
    await changeConsent(tx, consentId, { pausedAt: now, updatedAt: now });
    await ctx.audit(tx, by, "consent.paused", { clientId, details: { consentId } });
    await ctx.tokens.announceRevocation(tx, { consentId });
    await recordGrantEvents(ctx, tx, { consentId }, { type: grantPaused, reason: "player" });
  });
}

/**
 * No instance may keep a cached pause.
 * @throws UnknownElement without such a live consent
 */
export async function resumeConsent(
  ctx: Context,
  by: PortalUser,
  { consentId }: OneConsent,
): Promise<void> {
  const now = ctx.now();
  await ctx.database.transaction(async (tx) => {
    const { clientId, paused } = await requireOwnConsent(ctx, tx, { by, consentId });
    if (!paused) return;
    await changeConsent(tx, consentId, { pausedAt: null, updatedAt: now });
    await ctx.audit(tx, by, "consent.resumed", { clientId, details: { consentId } });
    await ctx.tokens.announceRevocation(tx, { consentId });
    await recordGrantEvents(ctx, tx, { consentId }, { type: grantResumed });
  });
}

/**
 * Tokens on all devices lose the scopes at once; scopes are never added.
 * @param narrowed.shown the scopes on the page; later approvals stay
 * @throws UnknownElement without such a live consent
 */
export async function narrowConsent(
  ctx: Context,
  by: PortalUser,
  narrowed: OneConsent & {
    readonly shown: readonly string[];
    readonly keep: readonly string[];
  },
): Promise<void> {
  const { consentId, shown, keep } = narrowed;
  const unticked = knownScopes(shown.filter((scope) => !keep.includes(scope)));
  await ctx.database.transaction(async (tx) => {
    const { clientId, scopes: held } = await requireOwnConsent(ctx, tx, { by, consentId });
    const unkept = held.filter((scope) => covers(unticked, scope) && !keep.includes(scope));
    const scopes = takeAway(held, unkept);
    if (held.every((scope) => scopes.includes(scope))) return;
    await changeConsent(tx, consentId, { scopes, updatedAt: ctx.now() });
    await ctx.audit(tx, by, "consent.narrowed", {
      clientId,
      details: { consentId },
      before: { scopes: held },
      after: { scopes },
    });
    await ctx.tokens.announceRevocation(tx, { consentId });
    await recordGrantEvents(ctx, tx, { consentId }, { type: grantNarrowed });
  });
}

/**
 * Gives back scopes that were approved once and taken away, and no others. Tokens that hold them
 * open them again.
 * @throws UnknownElement without such a live consent
 */
export async function giveBackScopes(
  ctx: Context,
  by: PortalUser,
  given: OneConsent & { readonly scopes: readonly string[] },
): Promise<void> {
  const { consentId } = given;
  await ctx.database.transaction(async (tx) => {
    const held = await requireOwnConsent(ctx, tx, { by, consentId });
    const back = held.takenAway.filter((scope) => given.scopes.includes(scope));
    if (back.length === 0) return;
    const scopes = scopeNames.filter((scope) => [...held.scopes, ...back].includes(scope));
    await changeConsent(tx, consentId, { scopes, updatedAt: ctx.now() });
    await ctx.audit(tx, by, "consent.restored", {
      clientId: held.clientId,
      details: { consentId },
      before: { scopes: held.scopes },
      after: { scopes },
    });
    await ctx.tokens.announceRevocation(tx, { consentId });
    await recordGrantEvents(ctx, tx, { consentId }, { type: grantApproved });
  });
}

/**
 * Grants and refresh tokens end with their consent. A later end is access for longer, so it wants a confirmation.
 * @throws UnknownElement without such a live consent · ConfirmationWanted
 */
export async function changeExpiry(
  ctx: Context,
  by: PortalUser,
  asked: OneConsent & { readonly until: keyof typeof approvalDays },
): Promise<void> {
  const { consentId } = asked;
  const now = ctx.now();
  const until = endAfter(approvalDays[asked.until], now);
  await ctx.database.transaction(async (tx) => {
    const held = await requireOwnConsent(ctx, tx, { by, consentId });
    if (held.until && (until === null || until > held.until)) assertConfirmed(ctx, by);
    await changeConsent(tx, consentId, { until, updatedAt: now });
    await moveGrantEnds(tx, consentId, { until, lifetimes: ctx.settings.lifetimes, now });
    const details = { consentId, until: asked.until };
    await ctx.audit(tx, by, "consent.extended", { clientId: held.clientId, details });
    await ctx.tokens.announceRevocation(tx, { consentId });
  });
}

/** @throws UnknownElement if none is a live consent of the player */
export async function revokeConsents(
  ctx: Context,
  by: PortalUser,
  { consentIds }: { readonly consentIds: readonly string[] },
): Promise<void> {
  const ended = await endOwnConsents(ctx, by, consentIds.filter(isUuid));
  if (ended === 0)
    throw UnknownElement.because({ message: "The application has no access to revoke." });
}

export const revokeAllConsents = (ctx: Context, by: PortalUser): Promise<number> =>
  endOwnConsents(ctx, by);

function endOwnConsents(ctx: Context, by: PortalUser, ids?: readonly string[]): Promise<number> {
  const { accountId } = by;
  const now = ctx.now();
  return ctx.database.transaction(async (tx) => {
    const ended = await endConsents(tx, { accountId, ids }, now);
    if (ended.length === 0) return 0;
    const facts = ended.map(({ id, clientId }) => ({ clientId, details: { consentId: id } }));
    await ctx.audit(tx, by, "consent.revoked", facts);
    const [consentId] = ids?.length === 1 ? ids : [];
    await ctx.tokens.announceRevocation(
      tx,
      consentId === undefined ? { accountId } : { consentId },
    );
    const consentIds = ended.map(({ id }) => id);
    await endGrants(ctx, tx, { consentIds }, { reason: "player", now });
    return ended.length;
  });
}

/** Needs the account's lock. */
export const endGrantsOfAccount = (
  ctx: Context,
  tx: Queryable,
  accountId: string,
): Promise<number> =>
  endGrants(ctx, tx, { accountId }, { reason: "account-deleted", now: ctx.now() });
