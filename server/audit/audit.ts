import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Actor } from "#server/actor";

/** The log keeps only `fields` of `before` and `after`, so that no secret gets there. */
const nouns = {
  account: { words: "Account", verbs: ["exported", "deleted", "banned", "unbanned"] },
  application: {
    words: "Application",
    verbs: [
      "created",
      "updated",
      "opened",
      "deleted",
      "verified",
      "unverified",
      "suspended",
      "resumed",
      "transferred",
    ],
    fields: [
      "name",
      "kind",
      "scopes",
      "optionalScopes",
      "redirectUris",
      "owner",
      "description",
      "emblemSign",
      "emblemColour",
      "clientUri",
      "tosUri",
      "privacyUri",
      "data",
      "use",
      "retention",
      "deletion",
      "sharing",
      "contact",
      "protection",
      "domain",
    ],
  },
  application_domain: {
    words: "Domain",
    verbs: ["named", "proven", "unproven", "removed"],
    fields: ["domain", "provenBy"],
  },
  application_member: {
    words: "Team member",
    verbs: ["invited", "joined", "declined", "changed", "removed", "left"],
    fields: ["role"],
  },
  application_report: {
    words: "Report of an application",
    verbs: ["sent", "changed", "dismissed", "acted_on"],
    fields: ["reason"],
  },
  application_tester: { words: "Test player", verbs: ["added", "removed"] },
  application_transfer: { words: "Transfer", verbs: ["offered", "withdrawn"] },
  audit_log: { words: "Audit log", verbs: ["exported"] },
  authorization: { words: "Authorization request", verbs: ["refused"] },
  backup: { words: "Backup", verbs: ["made"] },
  backup_codes: { words: "Backup codes", verbs: ["renewed"] },
  banking_channel: { words: "Banking channel", verbs: ["changed"], fields: ["channel", "roles"] },
  chat_account: { words: "Chat account", verbs: ["linked", "unlinked", "refused"] },
  client_secret: { words: "Client secret", verbs: ["created", "deleted"] },
  code: { words: "Authorization code", verbs: ["issued", "reused"] },
  confirmation: { words: "Confirmation", verbs: ["accepted", "refused"] },
  consent: {
    words: "Access",
    verbs: [
      "shown",
      "approved",
      "denied",
      "revoked",
      "paused",
      "resumed",
      "narrowed",
      "restored",
      "extended",
    ],
    fields: ["scopes"],
  },
  events_channel: {
    words: "Channel for hits and delayed crimes",
    verbs: ["changed"],
    fields: ["channel", "shown"],
  },
  faction_access: {
    words: "Access to faction data",
    verbs: ["blocked", "allowed", "limited", "unlimited", "delegated"],
    fields: ["access", "positions"],
  },
  faction_chat: { words: "Faction's chat server", verbs: ["named", "cleared"], fields: ["server"] },
  faction_listing: { words: "Faction on a chat server", verbs: ["added", "removed"] },
  fight_sharing: {
    words: "Reading of own fights",
    verbs: ["changed"],
    fields: ["sharesOpponentStats"],
  },
  game_key: { words: "Game key", verbs: ["added", "removed"] },
  grant: { words: "Access", verbs: ["revoked_by_developer", "revoked_by_admin"] },
  instance: { words: "Instance", verbs: ["ended"] },
  job: { words: "Job", verbs: ["run"] },
  key_lending: { words: "Lending of game keys", verbs: ["changed"], fields: ["lendsKey"] },
  notifications: {
    words: "Notifications",
    verbs: ["changed"],
    fields: ["byChat", "byWebhook"],
  },
  passkey: { words: "Passkey", verbs: ["added", "trusted", "removed"] },
  refresh_token: { words: "Refresh token", verbs: ["reused"] },
  score_sharing: {
    words: "Sharing of the faction's scores",
    verbs: ["changed"],
    fields: ["sharing"],
  },
  scores: { words: "Faction's scores", verbs: ["imported"] },
  second_factor: {
    words: "Second factor",
    verbs: ["requested", "enabled", "disabled", "reset", "refused"],
  },
  session: { words: "Sign-in", verbs: ["opened", "refused", "closed", "ended"] },
  token: { words: "Token", verbs: ["issued", "refreshed", "revoked"] },
  token_request: { words: "Token request", verbs: ["refused"] },
  vault_request: {
    words: "Vault request",
    verbs: [
      "created",
      "claimed",
      "released",
      "cancelled",
      "fulfilled",
      "expired",
      "verified",
      "unverified",
    ],
  },
  verification_request: {
    words: "Verification request",
    verbs: ["made", "withdrawn", "declined"],
  },
  webhook: {
    words: "Webhook endpoint",
    verbs: [
      "added",
      "verified",
      "not_verified",
      "changed",
      "paused",
      "resumed",
      "disabled",
      "removed",
    ],
    fields: ["url", "description", "types"],
  },
  webhook_events: { words: "Webhook events", verbs: ["replayed"] },
  webhook_secret: { words: "Webhook secret", verbs: ["rotated"] },
} as const satisfies Record<string, NounOfActs>;

interface NounOfActs {
  readonly words: string;
  readonly verbs: readonly string[];
  readonly fields?: readonly (keyof typeof auditDetailLabels)[];
}

/** Words for acts that noun and verb would describe wrongly. */
const exceptions: Readonly<Record<string, string>> = {
  "consent.shown": "Consent page shown",
  "session.closed": "Signed out",
  "session.opened": "Signed in",
};

type Noun = keyof typeof nouns;
export type AuditedAct = { [N in Noun]: `${N}.${(typeof nouns)[N]["verbs"][number]}` }[Noun];

const words = new Map(
  Object.entries(nouns).flatMap(([noun, row]) =>
    row.verbs.map((verb): [string, string] => {
      const act = `${noun}.${verb}`;
      return [act, exceptions[act] ?? `${row.words} ${verb.replaceAll("_", " ")}`];
    }),
  ),
);

export const auditedActs = [...words.keys()] as readonly AuditedAct[];

export const isAuditedAct = (act: string): act is AuditedAct => words.has(act);

/** An act of an earlier release is shown by its name. */
export const wordsOfAct = (act: string): string => words.get(act) ?? act;

export const auditDetailLabels = {
  access: "Faction data",
  again: "Marked as paid again",
  applications: "Applications",
  authorization: "Authorization header",
  by: "By",
  byChat: "By chat message",
  byWebhook: "By webhook",
  changed: "Changed",
  channel: "Chat channel",
  chat: "Chat account",
  code: "Error code",
  clientUri: "Website",
  connected: "Connected apps",
  contact: "Contact",
  consentId: "Consent",
  data: "Data it collects",
  deletion: "How to have it deleted",
  description: "Description",
  domain: "Domain",
  ended: "Sessions ended",
  emblemColour: "Colour",
  emblemSign: "Sign",
  emptyFields: "Empty parameters",
  endpoint: "Endpoint",
  endpointId: "Webhook endpoint",
  error: "Error",
  faction: "Faction",
  fields: "Parameters sent",
  first: "First sign-in",
  from: "State before",
  grantId: "Grant",
  handedOver: "Applications handed over",
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
  lendsKey: "Lends game keys",
  markedBy: "Marked as paid by player",
  messages: "Messages",
  method: "Way to sign in",
  name: "Name",
  owner: "Owner",
  paidBy: "Paid by player",
  optionalScopes: "Optional scopes",
  passkey: "Passkey",
  passkeys: "Passkeys removed",
  player: "Player",
  positions: "Positions that decide",
  privacyUri: "Privacy policy",
  provenBy: "Proof",
  protection: "How it is protected",
  reason: "Reason",
  redirectUri: "Redirect URI",
  reports: "Reports",
  requests: "Vault requests",
  retention: "When it deletes data",
  role: "Role",
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
  sharesOpponentStats: "Reads own fights",
  shown: "Shown",
  sharing: "Shared with",
  tosUri: "Terms",
  type: "Type",
  types: "Events",
  until: "Allowed until",
  url: "URL",
  use: "What it uses data for",
  version: "Version",
  why: "Reason",
} as const;

type AuditedValue = string | number | boolean | null | readonly string[];

/** Never contains a secret. */
export type AuditDetails = Readonly<
  Partial<
    Record<
      keyof typeof auditDetailLabels,
      AuditedValue | { readonly from: AuditedValue; readonly to: AuditedValue }
    >
  >
>;

export interface AuditFacts {
  /** The account concerned; the actor's own if left out. */
  readonly accountId?: string | null;
  /** The application concerned; the actor's own if left out. */
  readonly clientId?: string | null;
  readonly details?: AuditDetails;
  /** The row before and after the act; the log keeps the changed fields. */
  readonly before?: object;
  readonly after?: object;
}

/**
 * The noun's fields that differ, as `from` and `to`; all fields if the act made or removed the row.
 */
export function changedFields(act: AuditedAct, { before, after }: AuditFacts): AuditDetails {
  const noun: NounOfActs = nouns[act.slice(0, act.indexOf(".")) as Noun];
  const changed = (noun.fields ?? []).flatMap((name) => {
    const [from, to] = [storedField(before, name), storedField(after, name)];
    if (isDeepStrictEqual(from, to)) return [];
    return [[name, before && after ? { from, to } : before ? from : to]];
  });
  return Object.fromEntries(changed);
}

/** Chat ids have more digits than a JSON number. */
function storedField(row: object | undefined, name: string): AuditedValue {
  const value: unknown = Reflect.get(row ?? {}, name) ?? null;
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "bigint" ? String(value) : (value as AuditedValue);
}

/** The actor in the form that the log stores. */
export function actorKey(by: Actor): string {
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

/** 18 digits fit into PostgreSQL's bigint. */
export const AuditEventId = z.string().regex(/^\d{1,18}$/);
