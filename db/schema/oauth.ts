import { sql } from "drizzle-orm";
import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ScopeName } from "#server/scopes";
import { accountIdColumn, accounts, nullableAccountColumn } from "./accounts";
import { instant } from "./instant";

const scopeList = () => text().array().$type<ScopeName[]>().notNull();

/** An open application needs the first five. */
export interface PrivacyStatements {
  readonly data?: string;
  readonly use?: string;
  readonly retention?: string;
  readonly deletion?: string;
  readonly sharing?: string;
  readonly contact?: string;
  readonly protection?: string;
}

/** Soft delete, so that the name stays readable in history. */
export const applications = pgTable(
  "applications",
  {
    clientId: text().primaryKey(),
    ownerId: uuid()
      .notNull()
      .references(() => accounts.id),
    kind: text({ enum: ["confidential", "public"] }).notNull(),
    name: text().notNull(),
    description: text().notNull().default(""),
    /** Null if the emblem is drawn from the client id. */
    emblemSign: text(),
    emblemColour: text(),
    redirectUris: text().array().notNull(),
    scopes: scopeList(),
    optionalScopes: scopeList().default([]),
    clientUri: text().notNull(),
    tosUri: text().notNull(),
    privacyUri: text().notNull(),
    privacy: jsonb().$type<PrivacyStatements>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    verifiedAt: instant(),
    /** The audited fields at verification, kept after the verification ends. */
    verifiedAs: jsonb().$type<Readonly<Record<string, unknown>>>(),
    suspendedAt: instant(),
    suspendedFor: text(),
    /** Null while only the application's team and test players may approve it. */
    openedAt: instant(),
    deletedAt: instant(),
    /** Optimistic lock of registration and verification. */
    version: integer().notNull().default(1),
  },
  (table) => [index("applications_owner").on(table.ownerId)],
);

const ofApplication = () =>
  text()
    .notNull()
    .references(() => applications.clientId);

/** Members besides the owner. Changed only with the application's row locked. */
export const applicationMembers = pgTable(
  "application_members",
  {
    clientId: ofApplication(),
    accountId: accountIdColumn(),
    role: text({ enum: ["developer", "viewer"] }).notNull(),
    invitedAt: instant().notNull(),
    /** Null while invited, without any right yet. */
    joinedAt: instant(),
    /** Set while the owner offers the application to this member. */
    offeredAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.accountId] }),
    index("application_members_account").on(table.accountId),
  ],
);

/** Changed only with the application's row locked. */
export const applicationDomains = pgTable(
  "application_domains",
  {
    clientId: ofApplication().primaryKey(),
    /** ASCII and lower case, as in a URL. */
    domain: text().notNull(),
    provenAt: instant(),
    provenBy: text({ enum: ["dns", "file"] }),
    /** The last check that found the proof. */
    seenAt: instant(),
    /** Due checks in a row that did not find the proof. */
    misses: integer().notNull().default(0),
    /** Null while the domain is not proven. */
    checkAt: instant(),
    checkedAt: instant(),
    dnsFinding: text(),
    fileFinding: text(),
  },
  (table) => [
    index("application_domains_due").on(table.checkAt).where(sql`${table.checkAt} is not null`),
  ],
);

/** The newest request. The audit log has earlier ones. */
export const verificationRequests = pgTable(
  "verification_requests",
  {
    clientId: ofApplication().primaryKey(),
    requestedAt: instant().notNull(),
    outcome: text({ enum: ["verified", "declined", "withdrawn"] }),
    closedAt: instant(),
    reason: text(),
  },
  (table) => [
    index("verification_requests_open").on(table.requestedAt).where(sql`${table.outcome} is null`),
  ],
);

/** Changed only with the application's row locked. */
export const applicationTesters = pgTable(
  "application_testers",
  {
    clientId: ofApplication(),
    accountId: accountIdColumn(),
    addedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.accountId] }),
    index("application_testers_account").on(table.accountId),
  ],
);

export const applicationSecrets = pgTable(
  "application_secrets",
  {
    id: uuid().primaryKey(),
    clientId: ofApplication(),
    name: text().notNull(),
    hash: text().notNull(),
    hashKeyId: text().notNull(),
    createdAt: instant().notNull(),
    /** The account that saw the secret. */
    createdBy: nullableAccountColumn(),
    lastUsedAt: instant(),
    savedAt: instant(),
    expiresAt: instant(),
    deletedAt: instant(),
  },
  (table) => [index("application_secrets_client").on(table.clientId)],
);

/** A player has at most one open report per application. */
export const applicationReports = pgTable(
  "application_reports",
  {
    id: uuid().primaryKey(),
    clientId: ofApplication(),
    accountId: accountIdColumn(),
    reason: text({ enum: ["impersonation", "scopes", "misuse", "abuse", "other"] }).notNull(),
    text: text().notNull(),
    createdAt: instant().notNull(),
    /** Time of the last change. */
    reportedAt: instant().notNull(),
    closedAt: instant(),
    outcome: text({ enum: ["dismissed", "acted_on"] }),
  },
  (table) => [
    uniqueIndex("application_reports_open")
      .on(table.clientId, table.accountId)
      .where(sql`${table.closedAt} is null`),
    index("application_reports_account").on(table.accountId, table.createdAt),
    index("application_reports_age").on(table.reportedAt),
  ],
);

export const authorizationRequests = pgTable(
  "authorization_requests",
  {
    id: uuid().primaryKey(),
    clientId: ofApplication(),
    redirectUri: text().notNull(),
    scopes: scopeList(),
    state: text().notNull(),
    codeChallenge: text(),
    prompt: text({ enum: ["login", "consent", "login consent"] }),
    browserHash: text().notNull(),
    /** The account that saw the consent page and must decide. */
    accountId: uuid().references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    decidedAt: instant(),
    /** Sealed with a key from the browser's cookie. */
    sealedAnswer: text(),
  },
  (table) => [index("authorization_requests_expiry").on(table.expiresAt)],
);

export const consents = pgTable(
  "consents",
  {
    id: uuid().primaryKey(),
    accountId: accountIdColumn(),
    clientId: ofApplication(),
    scopes: scopeList(),
    /** Keeps scopes that were taken away, so that they can be given back. */
    approvedScopes: scopeList().default([]),
    /** Name, owner and hosts are as last approved. If one changes, the player is asked again. */
    applicationName: text().notNull().default(""),
    applicationOwner: uuid().notNull(),
    redirectHosts: text().array().notNull().default([]),
    /** Null if valid until revoked. */
    until: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    pausedAt: instant(),
    revokedAt: instant(),
    /** Precise to the hour. */
    lastUsedAt: instant(),
  },
  (table) => [
    uniqueIndex("consents_live")
      .on(table.accountId, table.clientId)
      .where(sql`${table.revokedAt} is null`),
    // Serves counts by an index-only scan.
    index("consents_client").on(table.clientId, table.revokedAt, table.until),
    index("consents_until").on(table.until).where(sql`${table.until} is not null`),
    index("consents_account").on(table.accountId, table.clientId),
  ],
);

/** A grant is one device. Codes and tokens die with their grant. */
export const grants = pgTable(
  "grants",
  {
    id: uuid().primaryKey(),
    consentId: uuid()
      .notNull()
      .references(() => consents.id, { onDelete: "cascade" }),
    /** Copied from the consent so that (client_id, created_at) can be indexed. */
    clientId: text().notNull(),
    scopes: scopeList(),
    createdAt: instant().notNull(),
    /** Rotation never extends this limit. */
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
    // Indexes an expression, which no lookup planned on empty tables uses.
    index("grants_end").on(sql`(${table.absoluteExpiry} at time zone 'UTC')`),
    // Not partial: a plan made on empty tables would scan a partial index of live grants whole.
    index("grants_client").on(table.clientId, table.createdAt, table.id),
  ],
);

const ofGrant = () =>
  uuid()
    .notNull()
    .references(() => grants.id, { onDelete: "cascade" });

export const authorizationCodes = pgTable(
  "authorization_codes",
  {
    hash: text().primaryKey(),
    hashKeyId: text().notNull(),
    grantId: ofGrant(),
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
    grantId: ofGrant(),
    scopes: scopeList(),
    issuedAt: instant().notNull(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
  },
  (table) => [
    // A refresh finds the access token by the issue time that both tokens share.
    index("access_tokens_grant").on(table.grantId, table.issuedAt),
    index("access_tokens_expiry").on(table.expiresAt),
  ],
);

export const refreshTokens = pgTable(
  "refresh_tokens",
  {
    hash: text().primaryKey(),
    hashKeyId: text().notNull(),
    grantId: ofGrant(),
    issuedAt: instant().notNull(),
    /** The idle limit; the grant's absolute expiry applies too. */
    expiresAt: instant().notNull(),
    consumedAt: instant(),
    successorHash: text(),
    /** Sealed with a key from the presented token; wiped after the reuse window. */
    sealedReply: text(),
  },
  (table) => [
    index("refresh_tokens_grant").on(table.grantId),
    index("refresh_tokens_expiry").on(table.expiresAt),
  ],
);
