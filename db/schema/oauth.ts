import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { instant } from "./instant";

/** What the privacy policy of an application must state (the first five), and what it should; absent until it is said. */
export interface PrivacyStatements {
  readonly data?: string;
  readonly use?: string;
  readonly retention?: string;
  readonly deletion?: string;
  readonly sharing?: string;
  readonly contact?: string;
  readonly protection?: string;
}

/** A registered client application. Deletion is soft: its name stays readable in what it left behind. */
export const applications = pgTable(
  "applications",
  {
    clientId: text().primaryKey(),
    ownerId: uuid()
      .notNull()
      .references(() => accounts.id),
    kind: text({ enum: ["confidential", "public"] }).notNull(),
    name: text().notNull(),
    redirectUris: text().array().notNull(),
    scopes: text().array().notNull(),
    /** Those of `scopes` that a player may untick on the consent page. */
    optionalScopes: text().array().notNull().default([]),
    /** Addresses of pages; empty until they are given. */
    clientUri: text().notNull(),
    tosUri: text().notNull(),
    privacyUri: text().notNull(),
    privacy: jsonb().$type<PrivacyStatements>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    verifiedAt: instant(),
    suspendedAt: instant(),
    /** The admin's reason; the developer reads it. */
    suspendedFor: text(),
    /** The developer opened it to all players; null while only the owner may approve it. */
    openedAt: instant(),
    deletedAt: instant(),
    /** Goes up with every change of what is registered and of the verification; an edit names the one that it began with. */
    version: integer().notNull().default(1),
  },
  (table) => [index("applications_owner").on(table.ownerId)],
);

/** A secret of a confidential application. Two may live at a time, so that one can be replaced without an outage. */
export const applicationSecrets = pgTable(
  "application_secrets",
  {
    id: uuid().primaryKey(),
    clientId: text()
      .notNull()
      .references(() => applications.clientId),
    name: text().notNull(),
    hash: text().notNull(),
    hashKeyId: text().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
    expiresAt: instant(),
    deletedAt: instant(),
  },
  (table) => [index("application_secrets_client").on(table.clientId)],
);

/** An authorization request, parsed once and kept here until the player decides. Bound to the browser that started it. */
export const authorizationRequests = pgTable(
  "authorization_requests",
  {
    id: uuid().primaryKey(),
    clientId: text()
      .notNull()
      .references(() => applications.clientId),
    redirectUri: text().notNull(),
    scopes: text().array().notNull(),
    state: text().notNull(),
    codeChallenge: text(),
    prompt: text({ enum: ["login", "consent", "login consent"] }),
    browserHash: text().notNull(),
    /** The account that the consent page was shown to; the decision must come from the same. */
    accountId: uuid().references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    decidedAt: instant(),
    /** The address of the answer, sealed with a key that only the browser's cookie yields. */
    sealedAnswer: text(),
  },
  (table) => [index("authorization_requests_expiry").on(table.expiresAt)],
);

/** What a player allowed an application. One live consent per pair; all devices hang below it. */
export const consents = pgTable(
  "consents",
  {
    id: uuid().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    clientId: text()
      .notNull()
      .references(() => applications.clientId),
    scopes: text().array().notNull(),
    /** The application's name and the hosts of its redirect URIs at the last approval; other ones are asked again. */
    applicationName: text().notNull().default(""),
    redirectHosts: text().array().notNull().default([]),
    /** Null: until revoked. */
    until: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    pausedAt: instant(),
    revokedAt: instant(),
  },
  (table) => [
    uniqueIndex("consents_live")
      .on(table.accountId, table.clientId)
      .where(sql`${table.revokedAt} is null`),
    // How many players an application has is counted in the index alone.
    index("consents_client").on(table.clientId, table.revokedAt, table.until),
    // Applications are told of consents whose time is over, of which few have one.
    index("consents_until").on(table.until).where(sql`${table.until} is not null`),
    // Ended ones too: the player's ledger and export show them.
    index("consents_account").on(table.accountId, table.clientId),
  ],
);

/** One approval on one device under a consent. Codes and tokens belong to it, and die with it. */
export const grants = pgTable(
  "grants",
  {
    id: uuid().primaryKey(),
    consentId: uuid()
      .notNull()
      .references(() => consents.id, { onDelete: "cascade" }),
    /** As the consent says: here an application's newest devices have an index. */
    clientId: text().notNull(),
    scopes: text().array().notNull(),
    createdAt: instant().notNull(),
    /** No refresh lives past this instant, however often the chain was rotated. */
    absoluteExpiry: instant().notNull(),
    revokedAt: instant(),
    revokedFor: text({
      enum: [
        "player",
        "client",
        "code-reuse",
        "refresh-reuse",
        "developer",
        "admin",
        "account-deleted",
        "expired",
      ],
    }),
  },
  (table) => [
    index("grants_consent").on(table.consentId),
    // Of an expression, so that no look-up's plan that was made on empty tables goes this way.
    index("grants_end").on(sql`(${table.absoluteExpiry} at time zone 'UTC')`),
    // What a developer is shown of the application's devices: newest first.
    // Of all grants: one of the live ones alone would lead a plan that is made on empty tables through every live grant.
    index("grants_client").on(table.clientId, table.createdAt, table.id),
  ],
);

export const authorizationCodes = pgTable(
  "authorization_codes",
  {
    hash: text().primaryKey(),
    hashKeyId: text().notNull(),
    grantId: uuid()
      .notNull()
      .references(() => grants.id, { onDelete: "cascade" }),
    clientId: text().notNull(),
    redirectUri: text().notNull(),
    codeChallenge: text(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    consumedAt: instant(),
  },
  (table) => [
    index("authorization_codes_grant").on(table.grantId),
    index("authorization_codes_expiry").on(table.expiresAt),
  ],
);

export const accessTokens = pgTable(
  "access_tokens",
  {
    hash: text().primaryKey(),
    hashKeyId: text().notNull(),
    grantId: uuid()
      .notNull()
      .references(() => grants.id, { onDelete: "cascade" }),
    scopes: text().array().notNull(),
    issuedAt: instant().notNull(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
  },
  (table) => [
    // A refresh finds the access token that was issued with the presented token by the instant that they share.
    index("access_tokens_grant").on(table.grantId, table.issuedAt),
    index("access_tokens_expiry").on(table.expiresAt),
  ],
);

export const refreshTokens = pgTable(
  "refresh_tokens",
  {
    hash: text().primaryKey(),
    hashKeyId: text().notNull(),
    grantId: uuid()
      .notNull()
      .references(() => grants.id, { onDelete: "cascade" }),
    issuedAt: instant().notNull(),
    /** The idle limit; the grant's absolute expiry binds besides. */
    expiresAt: instant().notNull(),
    consumedAt: instant(),
    /** Hash of the token that replaced this one. */
    successorHash: text(),
    /** The reply that consumed it, sealed with a key that only the presented token yields; wiped after the reuse window. */
    sealedReply: text(),
  },
  (table) => [
    index("refresh_tokens_grant").on(table.grantId),
    index("refresh_tokens_expiry").on(table.expiresAt),
  ],
);
