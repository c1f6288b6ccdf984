import { and, arrayContains, eq, inArray, isNull, or, sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "./instant";
import { players } from "./players";

/** A player who signed in here. */
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
    bannedAt: instant(),
    /** What the admin gave as the reason; the account's owner reads it. */
    bannedFor: text(),
    /** Whether the player lets their key read public data for everybody. */
    lendsKey: boolean().notNull().default(false),
    /** Whether scores of the player's opponents may be derived from their own fights, where no faction does it. */
    sharesOpponentStats: boolean().notNull().default(false),
    /** When the player's own fights were last asked for, and the end of the newest one that was read. */
    attacksAttempt: instant(),
    attacksSeen: instant(),
  },
  (table) => [
    // The admin's lists, newest first.
    index("accounts_created").on(table.createdAt, table.id),
    index("accounts_banned")
      .on(table.createdAt, table.id)
      .where(sql`${table.bannedAt} is not null`),
    // Few of many: those whose keys read for everybody, and those whose own fights wait to be read, the longest untried first.
    index("accounts_lenders").on(table.id).where(sql`${table.lendsKey}`),
    index("accounts_sharers")
      .on(table.attacksAttempt.nullsFirst(), table.id)
      .where(sql`${table.sharesOpponentStats}`),
  ],
);

/** What a player turns on and off. The export names them, the account's page has words for each. */
export const switches = {
  lendsKey: accounts.lendsKey,
  sharesOpponentStats: accounts.sharesOpponentStats,
};

/** How a change of each is audited: the act, and the name of its detail. */
export const switchActs = {
  lendsKey: { act: "key-lending-changed", detail: "lends" },
  sharesOpponentStats: { act: "fight-sharing-changed", detail: "shares" },
} as const satisfies Record<keyof typeof switches, { act: string; detail: string }>;

/** A player's key for the game's API: sealed for use, fingerprinted for lookup, its last four characters for display. */
export const gameKeys = pgTable(
  "game_keys",
  {
    id: uuid().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    playerId: integer().notNull(),
    /** AES-256-GCM, bound to this row's id; null once the key is dead. */
    sealed: text(),
    keyHmac: text("fingerprint").notNull().unique(),
    lastFour: text().notNull(),
    level: integer().notNull(),
    type: text().notNull(),
    /** What a custom key reads, as `section/selection`; null for other keys, and where the game did not say yet. */
    selections: text().array(),
    factionApiAccess: boolean().notNull(),
    state: text({ enum: ["active", "paused", "disabled", "dead"] }).notNull(),
    lastError: text(),
    lastOkAt: instant(),
    createdAt: instant().notNull(),
    /** When a refresh of its owner was last tried, as the player's own row says: here the queue of owners has an index. */
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

/** A browser in which an account is signed in. The cookie's value is never stored, only its hash. */
export const sessions = pgTable(
  "sessions",
  {
    idHash: text().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: instant().notNull(),
    /** The sign-in. */
    authenticatedAt: instant().notNull(),
    /** The last proof by game key or second factor in this session; sensitive acts look here. */
    confirmedAt: instant(),
    /** When the second factor was last passed in this session. */
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

/** A word to an account, shown in the portal. */
export const notices = pgTable(
  "notices",
  {
    id: uuid().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    text: text().notNull(),
    /** The page that it is about, as a path. */
    path: text(),
    createdAt: instant().notNull(),
    readAt: instant(),
  },
  (table) => [index("notices_account").on(table.accountId, table.createdAt)],
);

/** A chat account that may sign in to an account of ours. It was linked by somebody who was signed in, or as the game said. */
export const chatIdentities = pgTable("chat_identities", {
  chatId: bigint({ mode: "bigint" }).primaryKey(),
  accountId: uuid()
    .notNull()
    .unique()
    .references(() => accounts.id, { onDelete: "cascade" }),
  linkedAt: instant().notNull(),
  lastSignInAt: instant(),
});

/** A sign-in that went to the chat's provider and is waited for. Used once, bound to the browser that started it. */
export const chatSignIns = pgTable(
  "chat_sign_ins",
  {
    stateHash: text().primaryKey(),
    browserHash: text().notNull(),
    /** The PKCE verifier, sealed and bound to this row. */
    sealedVerifier: text().notNull(),
    /** Where the browser goes afterwards: a path of ours. */
    next: text().notNull(),
    /** Set where a signed-in account wants to link; null for a sign-in. */
    accountId: uuid().references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [index("chat_sign_ins_expiry").on(table.expiresAt)],
);

/** An account's time-based one-time passwords (RFC 6238). Asked for at sign-in once it is confirmed. */
export const secondFactors = pgTable("second_factors", {
  accountId: uuid()
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** The shared secret, sealed and bound to this row. */
  sealed: text().notNull(),
  createdAt: instant().notNull(),
  /** Null until the first code proved that the authenticator has it. */
  confirmedAt: instant(),
  /** The newest time step that a code was accepted for; it and all before it are refused. */
  lastStep: bigint({ mode: "number" }),
});

/** Wrong codes given for an account's second factor since its last right one. A guess is counted before it is checked. */
export const secondFactorGuesses = pgTable(
  "second_factor_guesses",
  {
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Codes of the app and backup codes are counted apart: guesses at the one do not lock the other. */
    kind: text({ enum: ["totp", "backup-code"] }).notNull(),
    /** When the guesses of the last day were made, oldest first. */
    recent: instant().array().notNull(),
    /** All of them since the last right code. */
    inARow: integer().notNull(),
    /** Whether the owner got a notice of them. */
    told: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
);

/** Single-use codes for a lost authenticator. */
export const backupCodes = pgTable(
  "backup_codes",
  {
    id: uuid().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    hash: text().notNull(),
    hashKeyId: text().notNull(),
    createdAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [index("backup_codes_account").on(table.accountId)],
);

/** A passkey of an account: the public half of a key pair whose private half stays with the player's authenticator. */
export const passkeys = pgTable(
  "passkeys",
  {
    id: uuid().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** What the authenticator calls it, base64url. */
    credentialId: text().notNull().unique(),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    /** The authenticator's count of signatures when it was last used; 0 where it keeps none. */
    counter: bigint({ mode: "number" }).notNull(),
    /** How the browser may reach the authenticator, as the browser said. */
    transports: text().array().notNull(),
    /** Whether it is synchronised to other devices of the player. */
    backedUp: boolean().notNull(),
    name: text().notNull(),
    createdAt: instant().notNull(),
    /** Where it was added. */
    address: text(),
    userAgent: text(),
    /** When a session that had passed the second factor confirmed it; without that it stands for the first factor alone. */
    confirmedAt: instant(),
    lastUsedAt: instant(),
  },
  (table) => [index("passkeys_account").on(table.accountId)],
);

/** A challenge that a passkey is to sign. Used once, by the browser that asked for it. */
export const passkeyChallenges = pgTable(
  "passkey_challenges",
  {
    challengeHash: text().primaryKey(),
    browserHash: text().notNull(),
    purpose: text({ enum: ["registration", "sign-in", "confirmation"] }).notNull(),
    /** Whose passkey is added or confirms; null for a sign-in, where the answer tells. */
    accountId: uuid().references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [index("passkey_challenges_expiry").on(table.expiresAt)],
);

/** A first factor that was right, waiting for the second. Not a session: it opens nothing but the second step. */
export const secondSteps = pgTable(
  "second_steps",
  {
    idHash: text().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** How the first factor was proved. */
    by: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [index("second_steps_expiry").on(table.expiresAt)],
);

/**
 * Whether a key may be used, joined with its account: it is active, its owner is not banned, and one of these server secrets opens it.
 * One that none opens is as good as not stored.
 */
export const isWorkingKey = (keyIds: readonly string[]) =>
  and(eq(gameKeys.state, "active"), isSealedUnder(keyIds), isNull(accounts.bannedAt));

/** Whether a key is sealed under one of these server secrets. */
export const isSealedUnder = (keyIds: readonly string[]) =>
  inArray(sql`split_part(${gameKeys.sealed}, '.', 1)`, [...keyIds]);

/** Whether a key reads its owner's faction, joined with the player: their position grants it, and the key's level suffices. */
export const readsFaction = and(
  eq(players.factionApiAccess, true),
  eq(gameKeys.factionApiAccess, true),
);

/** Whether a key may read all of these selections, as far as its own are known. */
export const mayReadAll = (selections: readonly string[]) =>
  or(isNull(gameKeys.selections), arrayContains(gameKeys.selections, [...selections]));
