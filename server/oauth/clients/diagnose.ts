import type { DeadToken } from "#db/schema/operations";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import {
  BlockedByFaction,
  ClientSuspended,
  EndpointNotFound,
  type FailureKind,
  GrantPaused,
  InsufficientPermissions,
  InvalidAuthenticationInformation,
  InvalidAuthenticationType,
  InvalidMethod,
  NoAuthenticationInformation,
} from "#server/failures";
import { apiPrefix, authorizationPath } from "#server/machine-path";
import { instantOfRequestId } from "#server/platform/ids";
import { earlier } from "#server/platform/time";
import { portalRefusal } from "#server/portal-refusal";
import { compileRouter } from "#server/rest/router";
import { routes } from "#server/routes";
import { isFactionScope, missingScopes, type ScopeName } from "#server/scopes";
import { examineParameters } from "../authorize/examine-parameters";
import { callbackErrors } from "../authorize/read-callback";
import { effectiveScopes, type GrantState, grantEndOf, grantState } from "../grants/grant-status";
import { findRefreshToken } from "../grants/refresh-store";
import { findCode } from "../grants/store";
import { findAccessToken, findTokenOwners } from "../tokens/store";
import { attachPlayers, findCallById, searchWindowOf } from "./calls/show-calls";
import { findFailedOAuthAttempt, findOAuthSuccess } from "./calls/store";
import {
  type MaskedSecret,
  maskSecrets,
  type Pasted,
  readMaskedSecret,
  readPasted,
} from "./read-pasted";
import { type ApplicationSummary, listApplicationSummaries } from "./store";

type Named = Pick<ApplicationSummary, "clientId" | "name">;

export type Diagnosis = Awaited<ReturnType<typeof diagnose>>;

const mostSearched = 1_000;

/** A request id that carries no time costs a search through a week of the log. */
const questionsAMinute = 20;

/** @throws PortalRefusal TOO_MANY_QUESTIONS */
export async function askDoctor(ctx: Context, user: PortalUser, text: string) {
  const { allowed, reset } = await ctx.limiter.take({
    policy: "doctor-questions",
    subject: user.accountId,
    limit: questionsAMinute,
  });
  if (!allowed)
    throw portalRefusal({
      status: 429,
      reason: "TOO_MANY_QUESTIONS",
      message: `You can check ${questionsAMinute} times a minute. Try again in ${reset} s.`,
      retryAfter: reset,
    });
  return diagnose(ctx, user, text);
}

/** Calls no endpoint, and shows nothing of other developers' applications. */
export async function diagnose(ctx: Context, user: PortalUser, text: string) {
  const asked = maskSecrets(ctx.keyring, text.trim());
  const own = await listApplicationSummaries(ctx.database.query, {
    accountId: user.accountId,
    right: "requests",
    limit: mostSearched,
  });
  const pasted = readPasted(ctx.keyring, asked, ctx.settings.baseUrl);
  switch (pasted.kind) {
    case "request-id":
      return findRequest(ctx, own, pasted.requestId);
    case "api-call":
      return examineCall(ctx, own, pasted);
    case "address":
      return examineAddress(ctx, own, pasted);
    case "secret":
      return { ...pasted, ...(await examineOwnSecret(ctx, own, pasted.secret)) };
    default:
      return pasted;
  }
}

type Of<Kind extends Pasted["kind"]> = Extract<Pasted, { kind: Kind }>;

function namedOf(own: readonly Named[], clientId: string | null | undefined): Named | null {
  const found = own.find((each) => each.clientId === clientId);
  return found ? { clientId: found.clientId, name: found.name } : null;
}

/** Only the caller knows a request id, so the id gives access to a call without a known token. */
async function findRequest(ctx: Context, own: readonly Named[], requestId: string) {
  const clientIds = own.map(({ clientId }) => clientId);
  const line = await findCallById(ctx, clientIds, requestId);
  const caller = line && namedOf(own, line.clientId);
  if (line && caller) {
    const [call] = await attachPlayers(ctx, caller.clientId, [line]);
    if (call) return { kind: "call" as const, application: caller, call };
  }
  if (line) {
    const { at, method, route, status, failureCode } = line;
    return { kind: "nobodys-call" as const, call: { at, method, route, status, failureCode } };
  }
  const asked = { clientIds, requestId, ...searchWindowOf(ctx, requestId) };
  const attempt = await findFailedOAuthAttempt(ctx.database.query, asked);
  if (attempt)
    return { kind: "attempt" as const, application: namedOf(own, attempt.clientId), attempt };
  const done = await findOAuthSuccess(ctx.database.query, asked);
  const doer = done && namedOf(own, done.clientId);
  if (done && doer)
    return { kind: "success" as const, application: doer, act: done.act, at: done.at };
  const made = instantOfRequestId(requestId);
  const age = Math.abs(ctx.now().getTime() - (made?.getTime() ?? 0));
  return {
    kind: "no-such-call" as const,
    /** The call's log line may not be written yet. */
    isNew: age < longestUnwritten,
    /** The time in the id; null if the log of that time may be gone. */
    made: (asked.exact && made) || null,
  };
}

/** Milliseconds; the log is written in batches. */
const longestUnwritten = 5_000;

async function examineAddress(
  ctx: Context,
  own: readonly Named[],
  { address, parameters }: Of<"address">,
) {
  const { baseUrl } = ctx.settings;
  if (!parameters.has("client_id") && (parameters.has("code") || parameters.has("error"))) {
    const sent = parameters.get("error");
    const error = sent === null ? null : (callbackErrors.find((word) => word === sent) ?? "other");
    return { kind: "callback" as const, error, isOurs: parameters.get("iss") === baseUrl };
  }
  const clientIds = parameters.getAll("client_id");
  const application = clientIds.length === 1 ? namedOf(own, clientIds[0]) : null;
  const client = application && (await ctx.tokens.findClient(application.clientId));
  if (!application || !client)
    return { kind: "no-own-application" as const, clientId: clientIds[0] ?? null };
  const authorize = `${baseUrl}${authorizationPath}`;
  return {
    kind: "request" as const,
    application,
    addressFault:
      address === "" || address === authorize ? null : `The address must be ${authorize}.`,
    ...examineParameters(parameters, client, baseUrl),
  };
}

const findRoute = compileRouter(routes, apiPrefix);

/** Checks in the same order as the API, so that both name the same failure. */
async function examineCall(ctx: Context, own: readonly Named[], call: Of<"api-call">) {
  const { method, pathname, authorization } = call;
  const match = findRoute(pathname);
  const endpoint = match?.route.methods.get(method === "HEAD" ? "GET" : (method as "GET"));
  const secret = readMaskedSecret(ctx.keyring, authorization ?? "") ?? null;
  const { token, application } = secret
    ? await examineOwnSecret(ctx, own, secret)
    : { token: null, application: null };
  const missing = token && endpoint ? missingScopes(token.scopes, endpoint.scopes) : [];
  const failure = (): FailureKind | null => {
    if (!match) return EndpointNotFound;
    if (!endpoint) return InvalidMethod;
    if (authorization === null) return NoAuthenticationInformation;
    if (!/^bearer\b/i.test(authorization)) return InvalidAuthenticationType;
    if (token?.state === "paused") return GrantPaused;
    if (token?.state === "suspended") return ClientSuspended;
    // The state of another developer's token stays hidden.
    if (token ? token.state !== "live" : !secret?.hashes.length)
      return InvalidAuthenticationInformation;
    if (missing.length > 0) return InsufficientPermissions;
    return token?.refused && endpoint.scopes.some(isFactionScope) ? BlockedByFaction : null;
  };
  return {
    kind: "api-call" as const,
    method,
    secret,
    token,
    application,
    /** In OpenAPI notation; the pasted path if no endpoint matches. */
    path: match?.route.template ?? pathname,
    /** Null if all checks that are possible here pass. */
    failureCode: failure()?.code ?? null,
    missing: token?.state === "live" ? missing : [],
    allow: match?.route.allow ?? null,
  };
}

async function examineOwnSecret(ctx: Context, own: readonly Named[], secret: MaskedSecret) {
  const token = await examineSecret(ctx, secret);
  const application = namedOf(own, token?.clientId);
  return { application, token: (application && token) ?? null };
}

/** `used`: an exchanged refresh token or code. */
export type TokenState = GrantState | DeadToken["ended"] | "used";

export interface ExaminedToken {
  readonly clientId: string;
  readonly state: TokenState;
  /** Null if the token ended in another way than by expiry. */
  readonly expiresAt: Date | null;
  readonly scopes: readonly ScopeName[];
  readonly refused?: boolean;
}

async function examineSecret(
  ctx: Context,
  { kind, hashes }: MaskedSecret,
): Promise<ExaminedToken | undefined> {
  if (kind === "access") return examineAccessToken(ctx, hashes);
  if (kind === "clientSecret") return undefined;
  const find = kind === "refresh" ? findRefreshToken : findCode;
  const found = await find(ctx.database.query, hashes);
  if (!found) return undefined;
  const now = ctx.now();
  const expiresAt = earlier(found.expiresAt, grantEndOf(found));
  const state = (): TokenState => {
    if (found.grantRevokedAt ?? found.consentRevokedAt) return "revoked";
    if (found.consumedAt) return "used";
    return expiresAt <= now ? "expired" : grantState(found, now);
  };
  return {
    clientId: found.clientId,
    state: state(),
    expiresAt,
    scopes: effectiveScopes(found, found.scopes),
  };
}

async function examineAccessToken(
  ctx: Context,
  hashes: readonly string[],
): Promise<ExaminedToken | undefined> {
  const now = ctx.now();
  const [owner] = (await findTokenOwners(ctx.database.query, hashes, now)).values();
  if (!owner) return undefined;
  const { clientId, ended } = owner;
  if (ended) {
    const expiresAt = ended.ended === "expired" && ended.at !== null ? new Date(ended.at) : null;
    return { clientId, state: ended.ended, expiresAt, scopes: [] };
  }
  const live = await findAccessToken(ctx.database, hashes, now);
  // The lookup leaves out ended and banned tokens, and this token has not ended.
  if (!live) return { clientId, state: "banned", expiresAt: null, scopes: [] };
  const { status, expiresAt, actor, refused } = live;
  return {
    clientId,
    state: status === "active" ? "live" : status,
    expiresAt,
    scopes: actor.scopes,
    refused,
  };
}
