import type { ScopeName } from "#server/scopes";

/**
 * Confidential applications keep a secret on their server; public ones (browser, desktop, mobile)
 * cannot.
 */
export type ClientKind = "confidential" | "public";

export interface RegisteredClient {
  readonly clientId: string;
  readonly ownerId: string;
  readonly kind: ClientKind;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly ScopeName[];
  readonly optionalScopes: readonly ScopeName[];
  readonly suspended: boolean;
  /** In test, only the owner can approve it. */
  readonly open: boolean;
  /** Live when read. */
  readonly secrets: readonly ClientSecret[];
}

export interface ClientSecret {
  readonly id: string;
  readonly hash: string;
  readonly hashKeyId: string;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
}

const clientIdForm = /^[0-9a-f]{32}$/;
const clientIdBytes = 16;

export const isClientId = (text: string): boolean => clientIdForm.test(text);

export const newClientId = (bytes: (count: number) => Uint8Array): string =>
  Buffer.from(bytes(clientIdBytes)).toString("hex");
