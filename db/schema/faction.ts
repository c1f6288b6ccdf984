import { and, eq, sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { nullableAccountColumn } from "./accounts";
import { instant } from "./instant";
import { factions, players } from "./players";

export const factionPositions = pgTable(
  "faction_positions",
  {
    id: uuid().primaryKey(),
    factionId: integer().notNull(),
    name: text().notNull(),
    isDefault: boolean().notNull(),
    abilities: text().array().notNull(),
    lastSeen: instant().notNull(),
    changedAt: instant(),
    /** Holders of the position decide which applications read the faction's data. */
    decidesAccess: boolean().notNull().default(false),
  },
  (table) => [unique("faction_positions_name").on(table.factionId, table.name)],
);

export const holdsPosition = and(
  eq(factionPositions.factionId, players.factionId),
  eq(factionPositions.name, players.positionName),
);

export const membershipColumns = {
  playerId: players.id,
  factionId: players.factionId,
  factionSeen: players.factionSeen,
  positionName: players.positionName,
  factionApiAccess: players.factionApiAccess,
  factionName: factions.name,
  leaderId: factions.leaderId,
  coLeaderId: factions.coLeaderId,
  leadersSeen: factions.lastRefresh,
  positionsRefreshed: factions.positionsRefreshed,
  abilities: factionPositions.abilities,
  decidesAccess: factionPositions.decidesAccess,
};

/** Stored as client id, for applications without a row of their own. */
export const wildcardClientId = "*";

/** An application may read the faction's data unless a row blocks it. */
export const factionAccess = pgTable(
  "faction_access",
  {
    factionId: integer().notNull(),
    clientId: text().notNull(),
    blocked: boolean().notNull(),
    /** Events before this time stay hidden. Null if never blocked. */
    allowedSince: instant(),
    decidedAt: instant().notNull(),
    decidedBy: nullableAccountColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.factionId, table.clientId] }),
    index("faction_access_decided_by").on(table.decidedBy),
  ],
);

export const retaliations = pgTable(
  "retaliations",
  {
    /** Unique, because an attack concerns one defending faction. */
    code: text().primaryKey(),
    factionId: integer().notNull(),
    attackEnded: instant().notNull(),
    defenderId: integer().notNull(),
    defenderName: text().notNull(),
    attackerId: integer().notNull(),
    attackerName: text().notNull(),
    answeredAt: instant(),
    /** Set when the end of the retaliation is recorded as an event. */
    closedAt: instant(),
  },
  (table) => [
    index("retaliations_open").on(table.attackEnded).where(sql`${table.closedAt} is null`),
    index("retaliations_faction").on(table.factionId, table.attackEnded),
    index("retaliations_age").on(table.attackEnded),
  ],
);

export const organizedCrimes = pgTable(
  "organized_crimes",
  {
    id: integer().primaryKey(),
    factionId: integer().notNull(),
    name: text().notNull(),
    lastSeen: instant().notNull(),
    delayedSince: instant(),
  },
  (table) => [
    index("organized_crimes_faction").on(table.factionId, table.id),
    index("organized_crimes_age").on(table.lastSeen),
  ],
);

export const organizedCrimeDelays = pgTable(
  "organized_crime_delays",
  {
    crimeId: integer().notNull(),
    /** The game's slot id in its crime: P1, P2, … */
    slot: text().notNull(),
    playerId: integer().notNull(),
    factionId: integer().notNull(),
    position: text().notNull(),
    /** Numbers equal roles of a crime, from 1. */
    positionIndex: integer().notNull(),
    reason: text().notNull(),
    seenAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.crimeId, table.slot, table.playerId] }),
    // Allows index-only scans, as rows are immutable.
    index("organized_crime_delays_faction").on(
      ...([table.factionId, table.crimeId, table.seenAt, table.slot, table.playerId] as const),
      table.position,
      table.positionIndex,
      table.reason,
    ),
  ],
);

/** A request leaves "pending" once, by one conditional UPDATE. */
export const vaultRequests = pgTable(
  "vault_requests",
  {
    /** The `wid` of the API, increasing. */
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    guid: uuid().notNull().unique(),
    factionId: integer().notNull(),
    playerId: integer().notNull(),
    amount: bigint({ mode: "number" }).notNull(),
    currency: text({ enum: ["money_balance", "points_balance"] }).notNull(),
    status: text({ enum: ["pending", "fulfilled", "cancelled"] }).notNull(),
    requestedAt: instant().notNull(),
    expiresAt: instant(),
    closedAt: instant(),
    closedBy: integer(),
    verification: text({ enum: ["waiting", "verified", "unverified"] }),
    /** Unique, because a news line proves one request. */
    newsId: text().unique(),
    /** Channel of the request's card, fixed when the request was made. */
    channelId: bigint({ mode: "bigint" }),
    reason: text(),
    /** The player that pays the request, until `claimedUntil`. */
    claimedBy: integer(),
    claimedUntil: instant(),
  },
  (table) => [
    index("vault_requests_faction").on(table.factionId, table.requestedAt, table.id),
    index("vault_requests_player").on(table.playerId, table.requestedAt, table.id),
    index("vault_requests_ledger")
      .on(table.factionId, table.closedAt, table.id)
      .where(sql`${table.closedAt} is not null`),
    index("vault_requests_expiry").on(table.expiresAt).where(sql`${table.status} = 'pending'`),
    index("vault_requests_claims")
      .on(table.claimedUntil)
      .where(sql`${table.status} = 'pending' and ${table.claimedUntil} is not null`),
    index("vault_requests_unproved")
      .on(table.closedAt)
      .where(sql`${table.verification} = 'waiting'`),
  ],
);

export const vaultReadings = pgTable(
  "vault_readings",
  {
    factionId: integer().primaryKey(),
    /** Time before the call to the game. */
    readAt: instant().notNull(),
    balances: jsonb()
      .$type<readonly { playerId: number; money: number; points: number }[]>()
      .notNull(),
  },
  (table) => [index("vault_readings_age").on(table.readAt)],
);
