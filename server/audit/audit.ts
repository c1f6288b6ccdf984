import { z } from "zod";
import type { Actor } from "#server/actor";

export const auditedActs = {
  "sign-in": "Signed in",
  "sign-in-failed": "Sign-in refused",
  "sign-out": "Signed out",
  "sessions-ended": "Other sessions ended",
  "identity-confirmed": "Confirmed who they are",
  "confirmation-failed": "Confirmation refused",
  "second-step-asked": "First factor correct, second requested",
  "second-factor-enabled": "Second factor turned on",
  "second-factor-disabled": "Second factor turned off",
  "second-factor-reset": "Second factor and passkeys removed by an admin",
  "second-factor-failed": "Wrong code for the second factor",
  "backup-codes-renewed": "New backup codes created",
  "passkey-added": "Passkey added",
  "passkey-trusted": "Passkey trusted as both factors",
  "passkey-removed": "Passkey removed",
  "game-key-removed": "Game key removed",
  "key-lending-changed": "Lending of game keys changed",
  "fight-sharing-changed": "Reading of own fights changed",
  "stat-sharing-changed": "Sharing of the faction's scores changed",
  "stats-imported": "Stats imported for the faction",
  "account-exported": "Account exported",
  "account-deleted": "Account deleted",
  "chat-linked": "Chat account linked",
  "chat-link-failed": "Linking a chat account refused",
  "chat-unlinked": "Chat account unlinked",
  "game-key-added": "Game key stored",
  "application-created": "Application registered",
  "application-updated": "Application changed",
  "application-opened": "Application opened to players",
  "application-deleted": "Application deleted",
  "authorization-failed": "Authorization request refused",
  "grant-revoked-by-developer": "Access ended by the developer",
  "grant-revoked-by-admin": "Access ended by an admin",
  "application-verified": "Application verified",
  "application-unverified": "Verification removed",
  "application-suspended": "Application suspended",
  "application-resumed": "Application resumed",
  "account-banned": "Account banned",
  "account-unbanned": "Ban lifted",
  "secret-created": "Client secret created",
  "secret-deleted": "Client secret deleted",
  "webhook-added": "Webhook endpoint added",
  "webhook-verified": "Webhook endpoint verified",
  "webhook-verification-failed": "Webhook endpoint not verified",
  "webhook-changed": "Webhook endpoint changed",
  "webhook-secret-rotated": "Webhook secret rotated",
  "webhook-paused": "Webhook endpoint paused",
  "webhook-resumed": "Webhook endpoint resumed",
  "webhook-disabled": "Webhook endpoint disabled",
  "webhook-replayed": "Webhook events replayed",
  "webhook-removed": "Webhook endpoint removed",
  "consent-shown": "Consent page shown",
  "consent-approved": "Access approved",
  "consent-denied": "Access denied",
  "consent-revoked": "Access revoked",
  "consent-paused": "Access paused",
  "consent-resumed": "Access resumed",
  "consent-narrowed": "Permissions removed",
  "consent-restored": "Permissions given back",
  "consent-extended": "Expiry of access changed",
  "code-issued": "Authorization code issued",
  "code-reused": "Authorization code used twice",
  "tokens-issued": "Tokens issued",
  "tokens-refreshed": "Tokens refreshed",
  "refresh-reused": "Refresh token used twice",
  "token-revoked": "Token revoked",
  "token-request-failed": "Token request refused",
  "vault-request-created": "Vault request made",
  "vault-request-claimed": "Vault request claimed by a banker",
  "vault-request-released": "Vault request released by a banker",
  "vault-request-cancelled": "Vault request cancelled",
  "vault-request-fulfilled": "Vault request paid out",
  "vault-request-expired": "Vault request expired",
  "vault-request-verified": "Payment found in the vault's news",
  "vault-request-unverified": "Payment not found in the vault's news",
  "faction-chat-server-named": "Faction's chat server chosen",
  "faction-chat-server-cleared": "Faction's chat server unlinked",
  "faction-events-channel-changed": "Channel for the faction's hits and delayed crimes changed",
  "chat-server-faction-listed": "Faction added by a chat server",
  "chat-server-faction-unlisted": "Faction removed by a chat server",
  "chat-server-banking-changed": "Banking channel of a chat server changed",
  "job-run": "Job run by hand",
  "instance-ended": "Instance told to end",
  "audit-exported": "Audit log exported",
  "backup-made": "Backup made",
} as const;

export type AuditedAct = keyof typeof auditedActs;

export const auditedDetails = {
  again: "Marked as paid again",
  applications: "Applications",
  authorization: "Authorization header",
  by: "By",
  changed: "Changed",
  channel: "Chat channel",
  chat: "Chat account",
  code: "Error code",
  connected: "Connected apps",
  consentId: "Consent",
  description: "Description",
  ended: "Sessions ended",
  emptyFields: "Empty parameters",
  endpoint: "Endpoint",
  endpointId: "Webhook endpoint",
  error: "Error",
  faction: "Faction",
  fields: "Parameters sent",
  first: "First sign-in",
  from: "State before",
  grantId: "Grant",
  imported: "Scores stored",
  instance: "Instance",
  keepDays: "Days that the old secret stays valid",
  key: "Key's hash",
  keyId: "Game key",
  kind: "Kind",
  leaked: "Leaked",
  left: "Left out",
  level: "Access level",
  livesDays: "Days until it expires",
  lends: "Lends game keys",
  lost: "Taken away",
  markedBy: "Marked as paid by player",
  messages: "Messages",
  method: "Way to sign in",
  name: "Name",
  paidBy: "Paid by player",
  optionalScopes: "Optional scopes",
  passkey: "Passkey",
  passkeys: "Passkeys removed",
  player: "Player",
  reason: "Reason",
  redirectUri: "Redirect URI",
  requests: "Vault requests",
  redirectUris: "Redirect URIs",
  roles: "Chat roles",
  rows: "Rows read",
  scopes: "Scopes",
  second: "Second factor",
  secretId: "Client secret",
  server: "Chat server",
  session: "Sign-in",
  sessions: "Sessions ended",
  sessionsEnded: "Other sign-ins ended",
  shares: "Reads own fights",
  sharing: "Shared with",
  type: "Type",
  types: "Events",
  until: "Allowed until",
  url: "URL",
  version: "Version",
  why: "Reason",
} as const;

/** Never a secret. */
export type AuditDetails = Readonly<
  Partial<Record<keyof typeof auditedDetails, string | number | boolean | null | readonly string[]>>
>;

export interface AuditFacts {
  /** The account concerned; the actor's own if left out. */
  readonly accountId?: string | null;
  /** The application concerned; the actor's own if left out. */
  readonly clientId?: string | null;
  readonly details?: AuditDetails;
}

/** As the log stores it. */
export function actorName(by: Actor): string {
  switch (by.kind) {
    case "portal":
    case "token":
      return `account:${by.accountId}`;
    case "player":
      return by.accountId === null ? `player:${by.playerId}` : `account:${by.accountId}`;
    case "client":
      return `client:${by.client.clientId}`;
    case "job":
      return `job:${by.name}`;
    default:
      return by.kind;
  }
}

/** As a cursor: 18 digits fit into PostgreSQL's bigint. */
export const EventId = z.string().regex(/^\d{1,18}$/);
