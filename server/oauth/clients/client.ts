import type { ScopeName } from "#server/scopes";

/** Confidential applications keep a secret on a server of their own; public ones (browser, desktop, mobile) cannot. */
export type ClientKind = "confidential" | "public";

/** What the protocol needs to know of a registered application. A deleted one is not known at all. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly ownerId: string;
  readonly kind: ClientKind;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly ScopeName[];
  /** Those of `scopes` that a player may leave out. */
  readonly optionalScopes: readonly ScopeName[];
  readonly suspended: boolean;
  /** Whether the developer opened it to all players. Until then its owner alone can approve it. */
  readonly open: boolean;
  /** Live when they were read; an expiry may have passed since. */
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

/** Whether the text has the form of our client ids. Anything else need not be asked of the database. */
export const isClientId = (text: string): boolean => clientIdForm.test(text);

/** A new client id: 32 hexadecimal digits, no meaning, no secret. */
export const newClientId = (bytes: (count: number) => Uint8Array): string =>
  Buffer.from(bytes(clientIdBytes)).toString("hex");
