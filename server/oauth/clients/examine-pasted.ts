import type { DeadToken } from "#db/schema/operations";
import type { Context } from "#server/context";
import {
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
import { missingScopes, type ScopeName } from "#server/scopes";
import { effectiveScopes, endOf, type GrantState, grantState } from "../grants/grant-status";
import { findRefreshToken } from "../grants/refresh-store";
import { findCode } from "../grants/store";
import { findAccessToken, findTokenOwners } from "../tokens/store";
import { type MaskedSecret, type PastedCall, readMaskedSecret } from "./read-pasted";

/** The answer that a call of the API would get, as far as its command line tells. */
export interface ExaminedCall {
  readonly method: string;
  /** The endpoint's path in the specification's notation; the address as pasted where there is none. */
  readonly path: string;
  /** The first of the checks that it does not pass; null where it passes all that can be told. */
  readonly failureCode: number | null;
  /** The scopes that the token lacks. */
  readonly missing: readonly ScopeName[];
  /** The methods that are allowed at this path; null where there is no endpoint. */
  readonly allow: string | null;
  readonly secret: MaskedSecret | null;
  /** The token that it carries, if that is one of the asker's applications'. */
  readonly token: ExaminedToken | null;
}

const findRoute = compileRouter(routes, apiPrefix);

export interface ExamineCall {
  readonly call: PastedCall;
  /** The asker's own applications. */
  readonly clientIds: readonly string[];
}

/** Checks a pasted call in the order in which the API does, without making it. Of another developer's token nothing is told. */
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
    // Whether somebody else's token lives is not told.
    if (token ? token.state !== "live" : !secret?.hashes.length)
      return InvalidAuthenticationInformation;
    return missing.length > 0 ? InsufficientPermissions : null;
  };
  return {
    ...{ method, secret, token },
    path: match?.route.template ?? pathname,
    failureCode: failure()?.code ?? null,
    missing: token?.state === "live" ? missing : [],
    allow: match?.route.allow ?? null,
  };
}

/** The state of a token or code. `used`: a refresh token or code that was exchanged. */
export type TokenState = GrantState | DeadToken["ended"] | "used";

/** A token or code of this service, as the developer of its application is told of it. */
export interface ExaminedToken {
  readonly clientId: string;
  readonly state: TokenState;
  /** When it expires by itself, or has; null where it ended in another way. */
  readonly expiresAt: Date | null;
  /** The scopes that it opens while it lives. */
  readonly scopes: readonly ScopeName[];
}

/** Looks up a token or code, live or dead. Undefined where none of these hashes is stored any more, or ever was. */
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
  // A token that has not ended and lets nobody in is a banned player's.
  if (!live) return { clientId, state: "banned", expiresAt: null, scopes: [] };
  const { status, expiresAt, actor } = live;
  return {
    clientId,
    state: status === "active" ? "live" : status,
    expiresAt,
    scopes: actor.scopes,
  };
}
