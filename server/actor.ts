import { BlockedByFaction, InsufficientPermissions } from "./failures";
import type { RegisteredClient } from "./oauth/clients/store";
import type { Ids } from "./platform/ids";
import { missingScopes, type ScopeName } from "./scopes";

export interface RequestSource {
  readonly requestId: string;
  /** Null if the mount does not know the address. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface TokenHolder {
  readonly kind: "token";
  readonly accountId: string;
  readonly playerId: number;
  readonly clientId: string;
  readonly consentId: string;
  readonly grantId: string;
  readonly scopes: readonly ScopeName[];
}

/** The holder has no source, because it is cached beside its token. */
export interface TokenActor extends TokenHolder {
  readonly from: RequestSource;
}

export interface PortalUser {
  readonly kind: "portal";
  readonly accountId: string;
  readonly playerId: number;
  readonly sessionHash: string;
  readonly authenticatedAt: Date;
  /**
   * Proof by game key, second factor or passkey; null if a chat account alone opened the session.
   */
  readonly confirmedAt: Date | null;
  /** "on" until the session passes the second factor. */
  readonly secondFactor: "off" | "on" | "passed";
  readonly admin: boolean;
  readonly from: RequestSource;
}

/** A player in the chat, or in the middle of a sign-in. */
export interface SessionlessPlayer {
  readonly kind: "player";
  /** Null for a chat user without an account. */
  readonly accountId: string | null;
  readonly playerId: number;
  readonly from: RequestSource;
}

export type ActingPlayer = TokenActor | PortalUser | SessionlessPlayer;

export type AccountActor = PortalUser | (SessionlessPlayer & { readonly accountId: string });

/** A client at the token, revocation or introspection endpoint. */
export interface ClientActor {
  readonly kind: "client";
  readonly client: RegisteredClient;
  readonly from: RequestSource;
}

export interface AnonymousActor {
  readonly kind: "anonymous";
  readonly from: RequestSource;
}

export const createAnonymousActor = (from: RequestSource): AnonymousActor => ({
  kind: "anonymous",
  from,
});

interface Operator {
  readonly kind: "operator";
  readonly from: RequestSource;
}

/** The acts of one command share a request id. */
export const createOperator = ({ ids }: { readonly ids: Ids }): Operator => ({
  kind: "operator",
  from: { requestId: ids.request(), address: null, userAgent: null },
});

export interface JobActor {
  readonly kind: "job";
  readonly name: string;
}

export type Administrator = PortalUser | Operator;

export type Actor =
  | TokenActor
  | PortalUser
  | SessionlessPlayer
  | ClientActor
  | AnonymousActor
  | Operator
  | JobActor;

/**
 * @param withheld scopes of the token that the player's faction refuses the application
 * @throws InsufficientPermissions, BlockedByFaction
 */
export function requireScopes(
  open: readonly ScopeName[],
  required: readonly ScopeName[],
  withheld: readonly ScopeName[] = [],
): void {
  if (required.length === 0 || missingScopes(open, required).length === 0) return;
  const granted = [...open, ...withheld];
  const missing = missingScopes(granted, required);
  if (missing.length === 0) throw BlockedByFaction.because();
  throw InsufficientPermissions.because({
    message: `The access token lacks the ${missing.length === 1 ? "scope" : "scopes"} ${missing.join(" ")}, which this call needs.`,
    details: { required, granted, missing },
  });
}
