import type { Queryable } from "#db/client";
import type { Administrator, PortalUser } from "#server/actor";
import type { AuditDetails, AuditedAct } from "#server/audit/audit";
import { assertConfirmed } from "#server/auth/confirmation";
import type { Context } from "#server/context";
import { UnknownElement } from "#server/failures";
import { isUuid } from "#server/platform/ids";
import { covers, takeAway } from "#server/scopes";
import { type ApprovalLength, endOfApproval } from "../authorize/consent-prompt";
import { mayApprove } from "../clients/team/permitted";
import { type EndReason, endGrants } from "../grants/end-store";
import {
  grantApproved,
  grantNarrowed,
  grantPaused,
  grantResumed,
  recordGrantEvents,
} from "../grants/events";
import { knownScopesOf } from "../scope-list";
import {
  type ConsentSelection,
  changeConsent,
  endConsents,
  type LiveConsent,
  lockOwnConsent,
  moveGrantEnds,
} from "./store";

interface OneConsent {
  readonly consentId: string;
}

interface ConsentChange {
  readonly set: Omit<Parameters<typeof changeConsent>[2], "updatedAt">;
  readonly act: AuditedAct;
  readonly details?: AuditDetails;
  readonly event?: Parameters<typeof recordGrantEvents>[3];
}

/**
 * The change applies to all devices.
 * @param decide returns undefined to change nothing
 * @throws UnknownElement alike for a foreign, ended or unknown consent
 */
const changeOwn = (
  ctx: Context,
  by: PortalUser,
  consentId: string,
  decide: (held: LiveConsent) => ConsentChange | undefined,
): Promise<void> =>
  ctx.database.transaction(async (tx) => {
    const updatedAt = ctx.now();
    const key = { id: consentId, accountId: by.accountId };
    const held = isUuid(consentId) ? await lockOwnConsent(tx, key, updatedAt) : undefined;
    if (!held)
      throw UnknownElement.because({ message: "The application has no access to change." });
    const change = decide(held);
    if (!change) return;
    const { set, act, details, event } = change;
    await changeConsent(tx, consentId, { ...set, updatedAt });
    if (set.until !== undefined)
      await moveGrantEnds(tx, consentId, {
        until: set.until,
        now: updatedAt,
        lifetimes: ctx.settings.lifetimes,
      });
    await ctx.audit(tx, by, act, {
      clientId: held.clientId,
      details: { consentId, ...details },
      ...(set.scopes && { before: { scopes: held.scopes }, after: { scopes: set.scopes } }),
    });
    await ctx.tokens.announceRevocation(tx, { consentId });
    if (event) await recordGrantEvents(ctx, tx, { consentId }, event);
  });

/** Idempotent. Tokens are kept. */
export const pauseConsent = (
  ctx: Context,
  by: PortalUser,
  { consentId }: OneConsent,
): Promise<void> =>
  changeOwn(ctx, by, consentId, ({ paused }) =>
    paused
      ? undefined
      : {
          set: { pausedAt: ctx.now() },
          act: "consent.paused",
          event: { type: grantPaused, reason: "player" },
        },
  );

export const resumeConsent = (
  ctx: Context,
  by: PortalUser,
  { consentId }: OneConsent,
): Promise<void> =>
  changeOwn(ctx, by, consentId, ({ paused }) =>
    paused
      ? { set: { pausedAt: null }, act: "consent.resumed", event: { type: grantResumed } }
      : undefined,
  );

/** @param narrowed.shown the scopes on the page; scopes approved later stay */
export const narrowConsent = (
  ctx: Context,
  by: PortalUser,
  narrowed: OneConsent & {
    readonly shown: readonly string[];
    readonly keep: readonly string[];
  },
): Promise<void> =>
  changeOwn(ctx, by, narrowed.consentId, ({ scopes: held }) => {
    const { shown, keep } = narrowed;
    const unticked = knownScopesOf(shown.filter((scope) => !keep.includes(scope)));
    const unkept = held.filter((scope) => covers(unticked, scope) && !keep.includes(scope));
    const scopes = takeAway(held, unkept);
    return held.every((scope) => scopes.includes(scope))
      ? undefined
      : { set: { scopes }, act: "consent.narrowed", event: { type: grantNarrowed } };
  });

/** Restores only scopes that were approved once and taken away. Existing tokens open them again. */
export const restoreScopes = (
  ctx: Context,
  by: PortalUser,
  given: OneConsent & { readonly scopes: readonly string[] },
): Promise<void> =>
  changeOwn(ctx, by, given.consentId, (held) => {
    const back = held.takenAway.filter((scope) => given.scopes.includes(scope));
    if (back.length === 0) return undefined;
    const scopes = knownScopesOf([...held.scopes, ...back]);
    return { set: { scopes }, act: "consent.restored", event: { type: grantApproved } };
  });

/**
 * Grants and tokens end with their consent. A later end extends access, so it needs a confirmation.
 * @throws ConfirmationWanted
 */
export const changeExpiry = (
  ctx: Context,
  by: PortalUser,
  asked: OneConsent & { readonly until: ApprovalLength },
): Promise<void> =>
  changeOwn(ctx, by, asked.consentId, (held) => {
    const until = endOfApproval(asked.until, ctx.now());
    if (held.until && (until === null || until > held.until)) assertConfirmed(ctx, by);
    return { set: { until }, act: "consent.extended", details: { until: asked.until } };
  });

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

const endOwnConsents = (ctx: Context, by: PortalUser, ids?: readonly string[]): Promise<number> =>
  ctx.database.transaction((tx) =>
    endAllowed(ctx, tx, by, { of: { accountId: by.accountId, ids }, reason: "player" }),
  );

const actOfEnd = {
  player: "consent.revoked",
  developer: "grant.revoked_by_developer",
  admin: "grant.revoked_by_admin",
} as const satisfies Partial<Record<EndReason, AuditedAct>>;

interface ConsentEnd {
  readonly of: ConsentSelection;
  readonly reason: keyof typeof actOfEnd;
}

async function endAllowed(
  ctx: Context,
  tx: Queryable,
  by: Administrator,
  { of, reason }: ConsentEnd,
): Promise<number> {
  const { accountId } = of;
  const now = ctx.now();
  const ended = await endConsents(tx, of, now);
  if (ended.length === 0) return 0;
  const consentIds = ended.map(({ id }) => id);
  const facts = ended.map(({ id, clientId }) => ({
    accountId,
    clientId,
    details: { consentId: id },
  }));
  await ctx.audit(tx, by, actOfEnd[reason], facts);
  const [consentId = "", ...others] = consentIds;
  await ctx.tokens.announceRevocation(tx, others.length > 0 ? { accountId } : { consentId });
  await endGrants(ctx, tx, { consentIds }, { reason, now });
  return ended.length;
}

/**
 * Before the application is open, a player that leaves the team or the test players loses the right
 * to approve, and so the consent. Needs the application's lock.
 * @returns true if a consent ended
 */
export async function endOutsiderConsent(
  ctx: Context,
  tx: Queryable,
  by: Administrator,
  { of, reason }: ConsentEnd & { readonly of: { readonly clientId: string } },
): Promise<boolean> {
  return !(await mayApprove(tx, of)) && (await endAllowed(ctx, tx, by, { of, reason })) > 0;
}

/** Needs the account's lock. */
export const endGrantsOfAccount = (
  ctx: Context,
  tx: Queryable,
  accountId: string,
): Promise<number> =>
  endGrants(ctx, tx, { accountId }, { reason: "account-deleted", now: ctx.now() });
