import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./instant";

/** A member's request to be paid from the faction's vault. It leaves "pending" once, by one conditional UPDATE. */
export const vaultRequests = pgTable(
  "vault_requests",
  {
    /** The wid: ever-growing. */
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    guid: uuid().notNull().unique(),
    factionId: integer().notNull(),
    playerId: integer().notNull(),
    amount: bigint({ mode: "number" }).notNull(),
    currency: text({ enum: ["money_balance", "points_balance"] }).notNull(),
    status: text({ enum: ["pending", "fulfilled", "cancelled"] }).notNull(),
    requestedAt: instant().notNull(),
    /** Null: never. */
    expiresAt: instant(),
    closedAt: instant(),
    /** The player who closed it; null for the system. */
    closedBy: integer(),
    /** Whether a fulfilment was found in the vault's news. Null until it is one. */
    verification: text({ enum: ["waiting", "verified", "unverified"] }),
    /** The line of the vault's news that proved it. A line proves one request. */
    newsId: text().unique(),
    /** Where its card stands in the chat: the channel of the moment it was made, whatever becomes of the link. */
    channelId: bigint({ mode: "bigint" }),
  },
  (table) => [
    index("vault_requests_faction").on(table.factionId, table.requestedAt, table.id),
    index("vault_requests_player").on(table.playerId, table.requestedAt, table.id),
    index("vault_requests_ledger")
      .on(table.factionId, table.closedAt, table.id)
      .where(sql`${table.closedAt} is not null`),
    index("vault_requests_expiry").on(table.expiresAt).where(sql`${table.status} = 'pending'`),
    index("vault_requests_unproved").on(table.closedAt).where(sql`${table.verification} = 'waiting'`),
  ],
);
