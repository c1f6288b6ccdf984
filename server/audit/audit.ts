/** Where an act came from. */
export interface Origin {
  readonly requestId: string;
  /** The peer's address, or null where the mount cannot know it. */
  readonly address: string | null;
}

/** Acts that change somebody's rights, or tried to. The list grows with the product. */
export type AuditedAct =
  | "sign-in"
  | "sign-in-failed"
  | "sign-out"
  | "sessions-ended"
  | "game-key-added"
  | "application-created"
  | "application-updated"
  | "application-deleted"
  | "secret-created"
  | "secret-deleted"
  | "consent-approved"
  | "consent-denied"
  | "consent-revoked"
  | "code-issued"
  | "code-reused"
  | "tokens-issued"
  | "tokens-refreshed"
  | "refresh-reused"
  | "token-revoked"
  | "token-request-failed";

export interface AuditEvent {
  readonly act: AuditedAct;
  /** Who did it: "account:<id>", "client:<id>", "job:<name>", "anonymous". */
  readonly actor: string;
  readonly accountId?: string | null;
  readonly clientId?: string | null;
  readonly origin?: Origin;
  /** Never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}
