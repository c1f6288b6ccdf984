import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { mintSecret } from "#server/platform/secret-text";
import { dayMs, secondMs } from "#server/platform/time";
import { takeAway } from "#server/scopes";
import { lockLiveConsent, saveConsent } from "../consents/store";
import { grantApproved, grantNarrowed, grantResumed, recordGrantEvents } from "../grants/events";
import { insertCode, insertGrant } from "../grants/store";
import type { AuthorizationRequest } from "./authorization-request";
import { codeLocation } from "./authorization-response";
import { consentPromptOf, type DisplayedPrompt, declinedScopes, isOutdated } from "./consent-prompt";
import { authorizationFailure, type PendingRequest } from "./pending-authorization";
import { closeAuthorization } from "./store";

/**
 * Opens a grant under a consent and issues its code, in the caller's transaction.
 * @returns the address that takes the code to the client
 */
export async function issueCode(
  ctx: Context,
  tx: Queryable,
  issue: {
    readonly request: AuthorizationRequest;
    readonly user: PortalUser;
    readonly consent: { readonly id: string; readonly until: Date | null };
    readonly origin: Origin;
  },
): Promise<string> {
  const { request, user, consent, origin } = issue;
  const { clientId, redirectUri, codeChallenge, scopes, state } = request;
  const { lifetimes, baseUrl } = ctx.settings;
  const now = ctx.now();
  const after = (seconds: number) => new Date(now.getTime() + seconds * secondMs);
  const longest = after(lifetimes.refreshMax);
  const absoluteExpiry = consent.until && consent.until < longest ? consent.until : longest;
  const grantId = ctx.ids.uuid();
  await insertGrant(tx, { id: grantId, consentId: consent.id, clientId, scopes, createdAt: now, absoluteExpiry });

  const code = mintSecret("code", ctx.ids.bytes);
  const print = ctx.keyring.hmac("token", code);
  const expiresAt = after(lifetimes.code);
  await insertCode(tx, { print, grantId, clientId, redirectUri, codeChallenge, createdAt: now, expiresAt });
  const { accountId } = user;
  const details = { grantId, scopes };
  await ctx.audit(tx, { act: "code-issued", actor: `account:${accountId}`, accountId, clientId, origin, details });
  const { playerId } = user;
  const approved = {
    type: grantApproved,
    subject: grantId,
    ...{ grantId, clientId, playerId },
    data: { scopes: [...scopes] },
  };
  await recordEvents(ctx, tx, [approved]);
  return codeLocation({ redirectUri, state, issuer: baseUrl }, code);
}

/** How long an approval lasts, in days; until the player takes it back where there is no number. */
export const approvalDays = { day: 1, month: 30, revoked: null } as const;

/** For how long, and what of the question. */
export interface Approval {
  /** "earlier" leaves the end of the earlier approval as it is. */
  readonly until?: keyof typeof approvalDays | "earlier";
  /** The optional scopes that were left ticked. Needed ones are granted with or without being named; others are not read. */
  readonly ticked?: readonly string[];
  /** The prompt on the answered page; absent where the answer did not come from a page. */
  readonly shown?: DisplayedPrompt;
}

/**
 * Stores what the player allows and opens a grant with it, in the transaction that closed the request. What is left out of a
 * question that was asked again is taken from the earlier consent too.
 * @returns the address that takes the code to the client
 * @throws AuthorizationFailure "changed" when the answered page showed another question
 */
export async function approveRequest(
  ctx: Context,
  tx: Queryable,
  { request, client, user, origin, ...approval }: PendingRequest & Approval & { user: PortalUser; origin: Origin },
): Promise<string> {
  const { until = "revoked", ticked = [], shown } = approval;
  const { clientId } = client;
  const { accountId } = user;
  const held = await lockLiveConsent(tx, { accountId, clientId }, ctx.now());
  const question = consentPromptOf(request, client, held?.scopes ?? [], ctx.settings);
  if ((until === "earlier" && !held) || (shown && isOutdated(shown, question))) throw authorizationFailure("changed");

  const left = declinedScopes(question, ticked);
  const scopes = takeAway(request.scopes, left);
  const earlier = held?.scopes ?? [];
  const allowed = takeAway([...earlier, ...scopes], left);
  const without = [...left, ...earlier.filter((scope) => !allowed.includes(scope))];
  const end = until === "earlier" ? (held?.until ?? null) : endAfter(approvalDays[until], ctx.now());
  const saved = { id: ctx.ids.uuid(), accountId, clientId, scopes: allowed, without, until: end };
  const consentId = await saveConsent(tx, saved, ctx.now());
  if (held) await ctx.announceRevocation(tx, { consentId });
  // The player's other devices.
  if (held?.paused) await recordGrantEvents(ctx, tx, { consentId }, { type: grantResumed });
  if (earlier.length > allowed.filter((scope) => earlier.includes(scope)).length)
    await recordGrantEvents(ctx, tx, { consentId }, { type: grantNarrowed });

  const details = { scopes, left, until };
  await ctx.audit(tx, { act: "consent-approved", actor: `account:${accountId}`, accountId, clientId, origin, details });
  return issueCode(ctx, tx, { request: { ...request, scopes }, user, consent: { id: consentId, until: end }, origin });
}

const endAfter = (days: number | null, now: Date): Date | null =>
  days === null ? null : new Date(now.getTime() + days * dayMs);

/**
 * Answers a request from a consent that the player gave before. A consent that ends at this very moment leaves a code that
 * opens nothing.
 * @param approval.requestId the pending request to close, if it was saved as one
 * @returns the address that takes the code to the client
 * @throws AuthorizationFailure "decided" when the pending request was answered meanwhile
 */
export async function approveRemembered(
  ctx: Context,
  approval: {
    readonly request: AuthorizationRequest;
    readonly requestId?: string;
    readonly user: PortalUser;
    readonly consent: { readonly id: string; readonly until: Date | null };
    readonly origin: Origin;
  },
): Promise<string> {
  const { requestId } = approval;
  const location = await ctx.database.transaction(async (tx) => {
    if (requestId !== undefined && !(await closeAuthorization(tx, requestId, ctx.now())))
      throw authorizationFailure("decided");
    return issueCode(ctx, tx, approval);
  });
  ctx.metrics.consents.of("remembered").inc();
  return location;
}
