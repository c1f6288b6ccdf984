import type { ScopeName } from "./scopes";

/** Who is acting through an access token: a player, by way of an application. */
export interface TokenHolder {
  readonly kind: "token";
  readonly accountId: string;
  readonly playerId: number;
  readonly clientId: string;
  readonly consentId: string;
  readonly grantId: string;
  readonly scopes: readonly ScopeName[];
}

/** Who is acting in the portal. */
export interface PortalUser {
  readonly kind: "portal";
  readonly accountId: string;
  readonly playerId: number;
  readonly sessionHash: string;
  /** When the identity was last proved; sensitive acts want this to be recent. */
  readonly authenticatedAt: Date;
  readonly admin: boolean;
}
