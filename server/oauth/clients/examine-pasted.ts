import type { DeadToken } from "#db/schema/operations";
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
import { apiPrefix } from "#server/machine-path";
import { earlier } from "#server/platform/time";
import { compileRouter } from "#server/rest/router";
import { routes } from "#server/routes";
import { isOfFaction, missingScopes, type ScopeName } from "#server/scopes";
import { effectiveScopes, endOf, type GrantState, grantState } from "../grants/grant-status";
import { findRefreshToken } from "../grants/refresh-store";
import { findCode } from "../grants/store";
import { findAccessToken, findTokenOwners } from "../tokens/store";
import { type MaskedSecret, type PastedCall, readMaskedSecret } from "./read-pasted";

export interface ExaminedCall {
  readonly method: string;
  /** In OpenAPI notation; the pasted address if no endpoint matches. */
  readonly path: string;
  /** Null if all that can be tested pass. */
  readonly failureCode: number | null;
  readonly missing: readonly ScopeName[];
  readonly allow: string | null;
  readonly secret: MaskedSecret | null;
  readonly token: ExaminedToken | null;
}

const findRoute = compileRouter(routes, apiPrefix);

export interface ExamineCall {
  readonly call: PastedCall;
  readonly clientIds: readonly string[];
}

/** In the API's order. Other developers' tokens stay hidden. */
export async function examineCall(
  ctx: Context,
  { call, clientIds }: ExamineCall,
): Promise<ExaminedCall> {
  const { method, pathname, authorization } = call;
  const match = findRoute(pathname);
  const endpoint = match?.route.methods.get(method === "HEAD" ? "GET" : (method as "GET"));
  const secret = readMaskedSecret(ctx.keyring, authorization ?? "") ?? null;
  const found = secret ? await examineSecret(ctx, secret) : undefined;
  const token = found && clientIds.includes(found.clientId) ? found : null;
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
    return token?.refused && endpoint.scopes.some(isOfFaction) ? BlockedByFaction : null;
  };
  return {
    ...{ method, secret, token },
    path: match?.route.template ?? pathname,
    failureCode: failure()?.code ?? null,
    missing: token?.state === "live" ? missing : [],
    allow: match?.route.allow ?? null,
  };
}

/** `used`: an exchanged refresh token or code. */
export type TokenState = GrantState | DeadToken["ended"] | "used";

export interface ExaminedToken {
  readonly clientId: string;
  readonly state: TokenState;
  /** Null if it ended in another way. */
  readonly expiresAt: Date | null;
  readonly scopes: readonly ScopeName[];
  /** The player's faction blocks the application. */
  readonly refused?: boolean;
}

export async function examineSecret(
  ctx: Context,
  { kind, hashes }: MaskedSecret,
): Promise<ExaminedToken | undefined> {
  if (kind === "access") return examineAccessToken(ctx, hashes);
  if (kind === "clientSecret") return undefined;
  const find = kind === "refresh" ? findRefreshToken : findCode;
  const found = await find(ctx.database.query, hashes);
  if (!found) return undefined;
  const now = ctx.now();
  const expiresAt = earlier(found.expiresAt, endOf(found));
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
  // Only a ban leaves a token that opens nothing without an end.
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
