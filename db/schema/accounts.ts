import { and, arrayContains, eq, inArray, isNull, or, sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "./instant";
import { players } from "./players";

export const accounts = pgTable(
  "accounts",
  {
    id: uuid().primaryKey(),
    playerId: integer()
      .notNull()
      .unique()
      .references(() => players.id),
    createdAt: instant().notNull(),
    lastSignInAt: instant(),
    /** Newest first. */
    signInPlaces: text().array().notNull().default([]),
    /** Topics of notices not sent to the chat. */
    chatSilenced: text().array().notNull().default([]),
    bannedAt: instant(),
    /** The owner sees this reason. */
    bannedFor: text(),
    /** The player's keys may be used for public data of all players. */
    lendsKey: boolean().notNull().default(false),
    /** Opponents' scores may be derived from the player's own fights. */
    sharesOpponentStats: boolean().notNull().default(false),
    /** Time of the last reading of the player's own fights, and end of the newest fight read. */
    attacksAttempt: instant(),
    attacksSeen: instant(),
  },
  (table) => [
    index("accounts_created").on(table.createdAt, table.id),
    index("accounts_banned")
      .on(table.createdAt, table.id)
      .where(sql`${table.bannedAt} is not null`),
    index("accounts_lenders").on(table.id).where(sql`${table.lendsKey}`),
    index("accounts_sharers")
      .on(table.attacksAttempt.nullsFirst(), table.id)
      .where(sql`${table.sharesOpponentStats}`),
  ],
);

export const accountIdColumn = () =>
  uuid()
    .notNull()
    .references(() => accounts.id, { onDelete: "cascade" });

export const nullableAccountColumn = () =>
  uuid().references(() => accounts.id, { onDelete: "set null" });

export const switchColumns = {
  lendsKey: accounts.lendsKey,
  sharesOpponentStats: accounts.sharesOpponentStats,
};

export const gameKeys = pgTable(
  "game_keys",
  {
    id: uuid().primaryKey(),
    accountId: accountIdColumn(),
    playerId: integer().notNull(),
    /** AES-256-GCM, bound to this row's id; null once the key is dead. */
    sealed: text(),
    keyHmac: text().notNull().unique(),
    lastFour: text().notNull(),
    level: integer().notNull(),
    type: text().notNull(),
    /** `section/selection` of a custom key; else null. */
    selections: text().array(),
    factionApiAccess: boolean().notNull(),
    state: text({ enum: ["active", "paused", "disabled", "dead"] }).notNull(),
    lastError: text(),
    lastOkAt: instant(),
    createdAt: instant().notNull(),
    /** Denormalised from the player, because the queue of owners needs an index. */
    ownerAttempt: instant().notNull().default(sql`'-infinity'`),
  },
  (table) => [
    index("game_keys_account").on(table.accountId),
    index("game_keys_player").on(table.playerId),
    index("game_keys_due")
      .on(table.ownerAttempt, table.playerId)
      .where(sql`${table.state} = 'active'`),
  ],
);

export const sessions = pgTable(
  "sessions",
  {
    idHash: text().primaryKey(),
    accountId: accountIdColumn(),
    createdAt: instant().notNull(),
    authenticatedAt: instant().notNull(),
    /** Last proof by game key or second factor. */
    confirmedAt: instant(),
    secondFactorAt: instant(),
    expiresAt: instant().notNull(),
    address: text(),
    userAgent: text(),
  },
  (table) => [
    index("sessions_account").on(table.accountId),
    index("sessions_expiry").on(table.expiresAt),
  ],
);

export const notices = pgTable(
  "notices",
  {
    id: uuid().primaryKey(),
    accountId: accountIdColumn(),
    kind: text().notNull(),
    text: text().notNull(),
    path: text(),
    createdAt: instant().notNull(),
    readAt: instant(),
  },
  (table) => [index("notices_account").on(table.accountId, table.createdAt)],
);

export const chatIdentities = pgTable("chat_identities", {
  chatId: bigint({ mode: "bigint" }).primaryKey(),
  accountId: accountIdColumn().unique(),
  linkedAt: instant().notNull(),
  lastSignInAt: instant(),
});

/** Pending chat sign-ins and second steps, challenges, backup codes. Each is accepted once. */
export const proofs = pgTable(
  "proofs",
  {
    /** Hash of the secret, or a chat interaction's id. */
    id: text().primaryKey(),
    kind: text({
      enum: [
        "backup-code",
        "chat-interaction",
        "chat-sign-in",
        "passkey-confirmation",
        "passkey-registration",
        "passkey-sign-in",
        "second-step",
      ],
    }).notNull(),
    /** Null if any browser may use the proof. */
    browserHash: text(),
    accountId: uuid().references(() => accounts.id, { onDelete: "cascade" }),
    /** Key id of the server secret, for proofs that outlive the secret. */
    hashKeyId: text(),
    /** A chat sign-in's sealed PKCE verifier and next page; a second step's first factor. */
    details: jsonb().$type<Readonly<Record<string, string>>>().notNull().default({}),
    createdAt: instant().notNull(),
    /** Null: valid until used or replaced. */
    expiresAt: instant(),
    usedAt: instant(),
  },
  (table) => [
    index("proofs_account").on(table.accountId, table.kind),
    index("proofs_expiry").on(table.expiresAt),
  ],
);

/** TOTP (RFC 6238). */
export const secondFactors = pgTable("second_factors", {
  accountId: accountIdColumn().primaryKey(),
  sealed: text().notNull(),
  createdAt: instant().notNull(),
  confirmedAt: instant(),
  /** Codes of this time step and of earlier ones are refused. */
  lastStep: bigint({ mode: "number" }),
});

/** A guess is counted before it is checked. */
export const secondFactorGuesses = pgTable(
  "second_factor_guesses",
  {
    accountId: accountIdColumn(),
    /** Counted apart, so that guesses at one kind do not lock the other. */
    kind: text({ enum: ["totp", "backup-code"] }).notNull(),
    recent: instant().array().notNull(),
    inARow: integer().notNull(),
    told: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
);

export const passkeys = pgTable(
  "passkeys",
  {
    id: uuid().primaryKey(),
    accountId: accountIdColumn(),
    /** base64url. */
    credentialId: text().notNull().unique(),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    /** Signature counter of the authenticator; 0 if it keeps none. */
    counter: bigint({ mode: "number" }).notNull(),
    transports: text().array().notNull(),
    backedUp: boolean().notNull(),
    name: text().notNull(),
    createdAt: instant().notNull(),
    address: text(),
    userAgent: text(),
    /** Null if the passkey counts as first factor only. */
    confirmedAt: instant(),
    lastUsedAt: instant(),
  },
  (table) => [index("passkeys_account").on(table.accountId)],
);

/** Needs a join with `accounts`. */
export const isWorkingKey = (keyIds: readonly string[]) =>
  and(eq(gameKeys.state, "active"), isSealedUnder(keyIds), isNull(accounts.bannedAt));

export const isSealedUnder = (keyIds: readonly string[]) =>
  inArray(sql`split_part(${gameKeys.sealed}, '.', 1)`, [...keyIds]);

/** Needs a join with `players`. */
export const mayReadFaction = and(
  eq(players.factionApiAccess, true),
  eq(gameKeys.factionApiAccess, true),
);

export const mayReadSelections = (selections: readonly string[]) =>
  or(isNull(gameKeys.selections), arrayContains(gameKeys.selections, [...selections]));

const limitedLevel = 3;

export const mayReadOwn = (selections: readonly string[]) =>
  sql`(${gameKeys.level} >= ${limitedLevel} or coalesce(${arrayContains(gameKeys.selections, [...selections])}, false))`;
