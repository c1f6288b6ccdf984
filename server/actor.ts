import { InsufficientPermissions } from "./failures";
import { missingScopes, type ScopeName } from "./scopes";

export interface TokenHolder {
  readonly kind: "token";
  readonly accountId: string;
  readonly playerId: number;
  readonly clientId: string;
  readonly consentId: string;
  readonly grantId: string;
  readonly scopes: readonly ScopeName[];
}

export interface PortalUser {
  readonly kind: "portal";
  readonly accountId: string;
  readonly playerId: number;
  readonly sessionHash: string;
  readonly authenticatedAt: Date;
  /**
   * The last proof by game key, second factor or passkey; null if a chat account alone opened the
   * session.
   */
  readonly confirmedAt: Date | null;
  /** "on": this session has not passed it. */
  readonly secondFactor: "off" | "on" | "passed";
  readonly admin: boolean;
}

export interface Operator {
  readonly kind: "operator";
}

export const operator: Operator = { kind: "operator" };

export type Administrator = PortalUser | Operator;

export const auditActorOf = (by: Administrator): string =>
  by.kind === "operator" ? by.kind : `account:${by.accountId}`;

/**
 * `faction` covers every `faction:*`.
 * @throws InsufficientPermissions with required, granted and missing scopes in its details
 */
export function requireScopes(granted: readonly ScopeName[], required: readonly ScopeName[]): void {
  if (required.length === 0) return;
  const missing = missingScopes(granted, required);
  if (missing.length === 0) return;
  throw InsufficientPermissions.because({
    message: `The access token lacks the ${missing.length === 1 ? "scope" : "scopes"} ${missing.join(" ")}, which this call needs.`,
    details: { required, granted, missing },
  });
}
