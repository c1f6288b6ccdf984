import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "./instant";

const snowflake = () => bigint({ mode: "bigint" });

/** A chat server that our bot was invited to, as last seen. */
export const chatServers = pgTable("chat_servers", {
  id: snowflake().primaryKey(),
  name: text().notNull(),
  lastRefresh: instant().notNull(),
});

/** Who may administer a chat server: its owner, and holders of a role with the administrator right. */
export const chatServerAdmins = pgTable(
  "chat_server_admins",
  {
    serverId: snowflake()
      .notNull()
      .references(() => chatServers.id, { onDelete: "cascade" }),
    chatId: snowflake().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.serverId, table.chatId] }),
    index("chat_server_admins_who").on(table.chatId),
  ],
);

/** The server's side of a link: it lists the faction. The faction's side is `factions.chat_server_id`; both must agree. */
export const chatServerFactions = pgTable(
  "chat_server_factions",
  {
    serverId: snowflake()
      .notNull()
      .references(() => chatServers.id, { onDelete: "cascade" }),
    factionId: integer().notNull(),
    /** Where requests are shown; null: banking is not set up. */
    bankingChannelId: snowflake(),
    /** Roles that a new request mentions. */
    bankingRoleIds: snowflake().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.serverId, table.factionId] })],
);

/**
 * Messages as they should stand in the chat, one row a subject. Delivery brings the chat to the newest version,
 * so that a state is never lost and never shown twice.
 */
export const chatMessages = pgTable(
  "chat_messages",
  {
    /** What it is about: `vault-request:12`, `vault-request:12:cancelled`. */
    subject: text().primaryKey(),
    /** The channel that it stands in; null for a direct message. */
    channelId: snowflake(),
    /** The recipient of a direct message; null for a channel's. */
    recipientId: snowflake(),
    /** A `ChatMessage`; parsed when it is delivered. */
    message: jsonb().$type<unknown>().notNull(),
    /** Counts the desired versions; one above `delivered` is still to be sent. */
    version: integer().notNull(),
    delivered: integer().notNull().default(0),
    /** The chat's own id of the message, once it stands there. */
    messageId: snowflake(),
    attempts: integer().notNull().default(0),
    /** When to try next; null where nothing is to be done. */
    dueAt: instant(),
    /** Until then somebody is at it, and nobody else may be. */
    leasedUntil: instant(),
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

/** Acts that came from the chat, by the chat's own id: one that is sent again is not done again. */
export const chatInteractions = pgTable(
  "chat_interactions",
  {
    id: snowflake().primaryKey(),
    receivedAt: instant().notNull(),
  },
  (table) => [index("chat_interactions_age").on(table.receivedAt)],
);
