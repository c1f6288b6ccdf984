import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "./instant";

const snowflake = () => bigint({ mode: "bigint" });

export const chatServers = pgTable(
  "chat_servers",
  {
    id: snowflake().primaryKey(),
    name: text().notNull(),
    lastRefresh: instant().notNull(),
    /** The owner, and holders of the administrator right. */
    adminIds: snowflake().array().notNull().default([]),
  },
  (table) => [index("chat_servers_admins").using("gin", table.adminIds)],
);

/** Server and faction must choose each other: see `factions.chat_server_id`. */
export const chatServerFactions = pgTable(
  "chat_server_factions",
  {
    serverId: snowflake()
      .notNull()
      .references(() => chatServers.id, { onDelete: "cascade" }),
    factionId: integer().notNull(),
    /** Null if banking is not set up. */
    bankingChannelId: snowflake(),
    bankingRoleIds: snowflake().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.serverId, table.factionId] })],
);

/** Delivery converges to the newest version, so no state is lost or shown twice. */
export const chatMessages = pgTable(
  "chat_messages",
  {
    /** Such as `vault-request:12:cancelled`. */
    subject: text().primaryKey(),
    channelId: snowflake(),
    recipientId: snowflake(),
    message: jsonb().$type<unknown>().notNull(),
    /** A message is pending while its version is above `delivered`. */
    version: integer().notNull(),
    delivered: integer().notNull().default(0),
    messageId: snowflake(),
    attempts: integer().notNull().default(0),
    /** Null if nothing is pending. */
    dueAt: instant(),
    lease: integer().notNull().default(0),
    leaseUntil: instant(),
    lastError: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index("chat_messages_due").on(table.dueAt),
    index("chat_messages_age").on(table.createdAt),
    index("chat_messages_letters").on(table.createdAt).where(sql`${table.recipientId} is not null`),
    index("chat_messages_given_up")
      .on(table.createdAt)
      .where(sql`${table.dueAt} is null and ${table.delivered} < ${table.version}`),
  ],
);
