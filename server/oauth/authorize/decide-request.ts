import { z } from "zod";
import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { deriveKey, sealWith, unsealWith } from "#server/platform/keyring";
import { mintSecret } from "#server/platform/secret-text";
import { earlier, secondMs } from "#server/platform/time";
import { missingScopes, type ScopeName, takeAway } from "#server/scopes";
import type { RegisteredClient } from "../clients/store";
import { mayApprove } from "../clients/team/permitted";
import {
  findUnrevoked,
  lockLiveConsent,
  lockParties,
  moveGrantEnds,
  saveConsent,
} from "../consents/store";
import { grantApproved, grantNarrowed, grantResumed, recordGrantEvents } from "../grants/events";
import { findCode, insertCode, insertGrant } from "../grants/store";
import { reachesClientAlone, redirectHostsOf } from "../redirect-uri";
import { formatScopeList, ScopeNames } from "../scope-list";
import {
  type AuthorizationRequest,
  notTestPlayerRefusal,
  redirectLocationOf,
  wantsConsent,
} from "./authorization-messages";
import {
  ApprovalLength,
  consentPromptOf,
  type DisplayedPrompt,
  declinedScopes,
  endOfApproval,
  findIdentityChange,
  isOutdated,
} from "./consent-prompt";
import {
  authorizationFailure,
  bindToAccount,
  isAuthorizationFailure,
  type RequestWithClient,
  requireOwnRequest,
  requirePendingRequest,
} from "./pending-authorization";
import { closeAuthorization, keepAnswer } from "./store";

/** The requested scopes come from the saved request, never from the form. */
export const ConsentDecision = z.object({
  requestId: z.uuid(),
  decision: z.enum(["approve", "deny"]),
  until: z.enum([...ApprovalLength.options, "earlier"]).optional(),
  /** Only optional scopes count; needed scopes come with the approval. */
  ticked: ScopeNames.optional(),
  /** The scopes that the page showed; if they have changed, the decision is refused. */
  shown: z.object({ allowed: ScopeNames, optional: ScopeNames }).optional(),
});
type SentDecision = Omit<z.output<typeof ConsentDecision>, "shown"> & {
  readonly shown?: DisplayedPrompt | undefined;
  readonly browserId: string | null;
};

/**
 * A request is decided once; a form resent soon by the same session gets the same answer.
 * @throws AuthorizationFailure
 */
export async function decideRequest(
  ctx: Context,
  by: PortalUser,
  decision: SentDecision,
): Promise<{ location: string }> {
  try {
    return { location: await answerOnce(ctx, by, decision) };
  } catch (thrown) {
    const location = isAuthorizationFailure(thrown, "REQUEST_DECIDED")
      ? await findSameAnswer(ctx, by, decision)
      : undefined;
    if (location === undefined) throw thrown;
    return { location };
  }
}

async function answerOnce(ctx: Context, by: PortalUser, decision: SentDecision): Promise<string> {
  const { requestId, browserId } = decision;
  const approves = decision.decision === "approve";
  // A denial needs no right to approve, so the user is not checked.
  const open = await requirePendingRequest(ctx, {
    requestId,
    browserId,
    ...(approves && { user: by }),
  });
  const { request } = open;
  // For a request bound to an account, a confirmation valid at the request's creation suffices.
  const since = request.accountId === null ? undefined : request.createdAt;
  const held = await heldScopes(ctx, by, { ...decision, ...open });
  await bindToAccount(ctx, { request, held, since }, by);
  const pair = { accountId: by.accountId, clientId: request.clientId };
  const location = await ctx.database.transaction(async (tx) => {
    if (approves && !(await lockParties(tx, pair))) throw authorizationFailure("REQUEST_UNKNOWN");
    await closeOnce(ctx, tx, request.id);
    const answer = await (approves ? approve : deny)(ctx, tx, by, { ...decision, ...open });
    const sealed = sealWith(keyFrom(decision), answer, boundTo(by, decision));
    await keepAnswer(tx, request.id, sealed);
    return answer;
  });
  ctx.metrics.consents.labels(approves ? "approved" : "denied").inc();
  return location;
}

async function heldScopes(
  ctx: Context,
  by: PortalUser,
  { request, client, decision }: AnsweredRequest,
) {
  if (decision === "deny") return request.scopes;
  const pair = { accountId: by.accountId, clientId: client.clientId };
  return (await findUnrevoked(ctx.database.query, pair))?.scopes ?? [];
}

type AnsweredRequest = SentDecision & RequestWithClient;

async function deny(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  { request }: AnsweredRequest,
): Promise<string> {
  const { clientId, scopes } = request;
  await ctx.audit(tx, by, "consent.denied", { clientId, details: { scopes } });
  const description = "The player denied the request.";
  const wasAsked = await mayApprove(tx, { clientId, accountId: by.accountId });
  const refusal = wasAsked
    ? ({ error: "access_denied", description } as const)
    : notTestPlayerRefusal;
  return redirectLocationOf(ctx, request, refusal);
}

async function approve(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  answered: AnsweredRequest,
): Promise<string> {
  const { request, client } = answered;
  const missing = missingScopes(client.scopes, request.scopes);
  if (missing.length > 0) {
    const description = `The application is no longer registered for ${formatScopeList(missing)}.`;
    return redirectLocationOf(ctx, request, { error: "invalid_scope", description });
  }
  const { scopes, consent } = await saveApproval(ctx, tx, by, answered);
  const code = await issueCode(ctx, tx, by, { request: { ...request, scopes }, consent });
  return redirectLocationOf(ctx, request, { code });
}

interface ApprovedRequest extends Pick<SentDecision, "until" | "ticked" | "shown"> {
  readonly request: Pick<AuthorizationRequest, "scopes" | "prompt" | "redirectUri">;
  readonly client: RegisteredClient;
}

/** A scope that is asked again and not ticked is also taken from the earlier consent. */
export async function saveApproval(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  answered: ApprovedRequest,
): Promise<{ scopes: ScopeName[]; consent: { id: string; until: Date | null } }> {
  const { request, client, until = "revoked", ticked = [], shown } = answered;
  const { clientId } = client;
  const { accountId } = by;
  const held = await lockLiveConsent(tx, { accountId, clientId }, ctx.now());
  const earlier = held?.scopes ?? [];
  const question = consentPromptOf(request, client, held, ctx.settings);
  if ((until === "earlier" && !held) || (shown && isOutdated(shown, question)))
    throw authorizationFailure("REQUEST_CHANGED");

  const left = declinedScopes(question, ticked);
  const scopes = takeAway(request.scopes, left);
  const allowed = takeAway([...earlier, ...scopes], left);
  const taken = earlier.filter((scope) => !allowed.includes(scope));
  const end = until === "earlier" ? (held?.until ?? null) : endOfApproval(until, ctx.now());
  const consent = {
    id: ctx.ids.uuid(),
    accountId,
    clientId,
    scopes: allowed,
    without: [...left, ...taken],
    until: end,
    applicationName: client.name,
    applicationOwner: client.ownerId,
    redirectHosts: redirectHostsOf(client),
  };
  const consentId = await saveConsent(tx, consent, ctx.now());
  if (held) {
    const { lifetimes } = ctx.settings;
    await moveGrantEnds(tx, consentId, { until: end, lifetimes, now: ctx.now() });
    await ctx.tokens.announceRevocation(tx, { consentId });
  }
  if (held?.paused) await recordGrantEvents(ctx, tx, { consentId }, { type: grantResumed });
  if (taken.length > 0) await recordGrantEvents(ctx, tx, { consentId }, { type: grantNarrowed });

  await ctx.audit(tx, by, "consent.approved", { clientId, details: { scopes, left, until } });
  if (!held || missingScopes(earlier, allowed).length > 0)
    await ctx.notify(tx, {
      accountId,
      kind: "application-allowed",
      path: `/account/apps/${clientId}`,
      isRead: true,
      text: `You allowed “${client.name}”: ${formatScopeList(allowed)}. If that was not you, end its access and your other sessions.`,
    });
  return { scopes, consent: { id: consentId, until: end } };
}

/**
 * @returns undefined if the player must be asked
 * @throws AuthorizationFailure REQUEST_DECIDED after a concurrent answer
 */
export async function applyRememberedConsent(
  ctx: Context,
  by: PortalUser,
  asked: {
    readonly request: AuthorizationRequest;
    readonly requestId?: string;
    readonly client: RegisteredClient;
  },
): Promise<string | undefined> {
  const { request, requestId, client } = asked;
  if (wantsConsent(request.prompt)) return undefined;
  if (!reachesClientAlone(client.kind, request.redirectUri, ctx.settings.baseUrl)) return undefined;
  // The application may have changed since the request was saved.
  if (missingScopes(client.scopes, request.scopes).length > 0) return undefined;
  const pair = { accountId: by.accountId, clientId: client.clientId };
  const location = await ctx.database.transaction(async (tx) => {
    if (!(await lockParties(tx, pair))) return undefined;
    const consent = await lockLiveConsent(tx, pair, ctx.now());
    if (!consent || consent.paused || findIdentityChange(consent, client)) return undefined;
    if (missingScopes(consent.scopes, request.scopes).length > 0) return undefined;
    if (requestId !== undefined) await closeOnce(ctx, tx, requestId);
    const code = await issueCode(ctx, tx, by, { request, consent });
    return redirectLocationOf(ctx, request, { code });
  });
  if (location !== undefined) ctx.metrics.consents.labels("remembered").inc();
  return location;
}

async function closeOnce(ctx: Context, tx: Queryable, requestId: string): Promise<void> {
  if (!(await closeAuthorization(tx, requestId, ctx.now())))
    throw authorizationFailure("REQUEST_DECIDED");
}

/** Covers a second tap, and a browser that resends the form on a slow line. */
const repeatedWithin = 10 * secondMs;

const keyFrom = ({ browserId }: SentDecision) =>
  deriveKey(browserId ?? "", "adjutant authorization answer");

const boundTo = (
  { sessionHash }: PortalUser,
  { requestId, decision, until, ticked = [] }: SentDecision,
): string => JSON.stringify([requestId, sessionHash, decision, until, [...ticked].sort()]);

/** A used code is not repeated, because a second use would end its grant. */
async function findSameAnswer(
  ctx: Context,
  by: PortalUser,
  sent: SentDecision,
): Promise<string | undefined> {
  const { sealedAnswer, decidedAt } = await requireOwnRequest(ctx, sent);
  if (!sealedAnswer || !decidedAt || ctx.now().getTime() - decidedAt.getTime() > repeatedWithin)
    return undefined;
  const location = unsealed(by, sent, sealedAnswer);
  if (location === undefined) return undefined;
  const code = new URL(location).searchParams.get("code");
  if (code === null) return location;
  const stored = await findCode(ctx.database.query, ctx.keyring.hmacs("token", code));
  return stored?.consumedAt === null ? location : undefined;
}

function unsealed(by: PortalUser, sent: SentDecision, sealed: string): string | undefined {
  try {
    return unsealWith(keyFrom(sent), sealed, boundTo(by, sent));
  } catch {
    return undefined;
  }
}

interface ApprovedConsent {
  readonly id: string;
  readonly until: Date | null;
}

async function issueCode(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  issue: { readonly request: AuthorizationRequest; readonly consent: ApprovedConsent },
): Promise<string> {
  const { clientId, redirectUri, codeChallenge, scopes } = issue.request;
  const { grantId } = await openGrant(ctx, tx, by, { clientId, scopes, consent: issue.consent });
  const code = mintSecret("code", ctx.ids.bytes);
  const now = ctx.now();
  const { hash, keyId: hashKeyId } = ctx.keyring.hmac("token", code);
  await insertCode(tx, {
    hash,
    hashKeyId,
    grantId,
    clientId,
    redirectUri,
    codeChallenge,
    createdAt: now,
    expiresAt: new Date(now.getTime() + ctx.settings.lifetimes.code * secondMs),
  });
  await ctx.audit(tx, by, "code.issued", { clientId, details: { grantId, scopes } });
  return code;
}

export async function openGrant(
  ctx: Context,
  tx: Queryable,
  { playerId }: PortalUser,
  opened: {
    readonly clientId: string;
    readonly scopes: readonly ScopeName[];
    readonly consent: ApprovedConsent;
  },
): Promise<{ grantId: string; absoluteExpiry: Date }> {
  const { clientId, scopes, consent } = opened;
  const grantId = ctx.ids.uuid();
  const createdAt = ctx.now();
  const longest = new Date(createdAt.getTime() + ctx.settings.lifetimes.refreshMax * secondMs);
  const absoluteExpiry = earlier(longest, consent.until);
  await insertGrant(tx, {
    id: grantId,
    consentId: consent.id,
    scopes: [...scopes],
    clientId,
    createdAt,
    absoluteExpiry,
  });
  const approved = {
    type: grantApproved,
    subject: grantId,
    grantId,
    clientId,
    playerId,
    data: { scopes: [...scopes] },
  };
  await recordEvents(ctx, tx, [approved]);
  return { grantId, absoluteExpiry };
}
