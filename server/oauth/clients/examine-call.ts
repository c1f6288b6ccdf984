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
import { compileRouter } from "#server/rest/router";
import { routes } from "#server/routes";
import { missingScopes, type ScopeName } from "#server/scopes";
import { type ExaminedToken, examineSecret } from "./examine-secret";
import { type MaskedSecret, readMaskedSecret } from "./pasted-secrets";
import type { PastedCall } from "./read-pasted";

/** What a call of the API would be answered, as far as its command line tells. */
export interface ExaminedCall {
  readonly method: string;
  /** The endpoint's path in the specification's notation; the address as pasted where there is none. */
  readonly path: string;
  /** The first of the checks that it does not pass; null where it passes all that can be told. */
  readonly failureCode: number | null;
  /** The scopes that the token lacks. */
  readonly missing: readonly ScopeName[];
  /** What the endpoint allows at this path; null where there is no endpoint. */
  readonly allow: string | null;
  readonly secret: MaskedSecret | null;
  /** The token that it carries, if that is one of the asker's applications'. */
  readonly token: ExaminedToken | null;
}

const find = compileRouter(routes, apiPrefix);

export interface ExamineCall {
  readonly call: PastedCall;
  /** The asker's own applications. */
  readonly clientIds: readonly string[];
}

/** Checks a pasted call in the order in which the API does, without making it. Of another developer's token nothing is told. */
export async function examineCall(ctx: Context, { call, clientIds }: ExamineCall): Promise<ExaminedCall> {
  const { method, pathname, authorization } = call;
  const match = find(pathname);
  const endpoint = match?.route.methods.get(method === "HEAD" ? "GET" : (method as "GET"));
  const secret = readMaskedSecret(authorization ?? "") ?? null;
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
    if (token ? token.state !== "live" : !secret?.hashes.length) return InvalidAuthenticationInformation;
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
