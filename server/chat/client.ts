import { z } from "zod";
import {
  type ChatCommand,
  type ChatMessage,
  commandBody,
  messageBody,
  SnowflakeText,
} from "./message";
import { type ChatTransportOptions, createChatTransport } from "./transport";

export interface ChatServer {
  readonly serverId: bigint;
  readonly name: string;
}

export interface ChatRole {
  readonly roleId: bigint;
  readonly name: string;
  /** The role has every right on the server. */
  readonly administrator: boolean;
}

export interface ChatChannel {
  readonly channelId: bigint;
  readonly name: string;
}

/** Every method throws `ChatFailure` and nothing else. */
export interface ChatClient {
  /** @param once idempotency key, ≤ 25 characters, valid for some minutes */
  postMessage(
    channelId: bigint,
    message: ChatMessage,
    once: string,
  ): Promise<{ readonly messageId: bigint }>;
  editMessage(channelId: bigint, messageId: bigint, message: ChatMessage): Promise<void>;
  /** Idempotent. */
  openDirectChannel(recipientId: bigint): Promise<{ readonly channelId: bigint }>;
  listServers(): Promise<ChatServer[]>;
  readServer(serverId: bigint): Promise<ChatServer & { readonly ownerId: bigint }>;
  /** Highest first, without the default role. */
  listRoles(serverId: bigint): Promise<ChatRole[]>;
  listHolders(serverId: bigint, roleIds: readonly bigint[]): Promise<bigint[]>;
  /** Text channels, from top to bottom. */
  listChannels(serverId: bigint): Promise<ChatChannel[]>;
  finishInteraction(
    of: { applicationId: bigint; token: string },
    message: ChatMessage,
  ): Promise<void>;
  /** Replaces all commands. */
  registerCommands(commands: readonly ChatCommand[]): Promise<void>;
}

const pageSize = { servers: 200, members: 1_000 };
const mostMemberPages = 50;
const administratorRight = 8n;
const textChannels = [0, 5];
/** Milliseconds; less than the outbox lease. */
const chatTimeoutMs = 8_000;

/** Only this folder knows the words of the one chat. */
export function createChatClient(
  options: Omit<ChatTransportOptions, "timeoutMs"> & { timeoutMs?: number },
): ChatClient {
  const call = createChatTransport({ timeoutMs: chatTimeoutMs, ...options });

  return {
    postMessage: async (channelId, message, once) => {
      const body = { ...messageBody(message), nonce: once, enforce_nonce: true };
      const { id } = await call({
        method: "POST",
        path: `channels/${channelId}/messages`,
        body,
        answer: MessageAnswer,
      });
      return { messageId: id };
    },

    editMessage: async (channelId, messageId, message) => {
      const path = `channels/${channelId}/messages/${messageId}`;
      await call({ method: "PATCH", path, body: messageBody(message), answer: z.unknown() });
    },

    openDirectChannel: async (recipientId) => {
      const body = { recipient_id: String(recipientId) };
      const { id } = await call({
        method: "POST",
        path: "users/@me/channels",
        body,
        answer: DirectChannelAnswer,
      });
      return { channelId: id };
    },

    listServers: async () => {
      const servers: ChatServer[] = [];
      let after = 0n;
      for (;;) {
        const path = `users/@me/guilds?limit=${pageSize.servers}&after=${after}`;
        const page = await call({ method: "GET", path, answer: ServersAnswer });
        servers.push(...page.map(({ id, name }) => ({ serverId: id, name })));
        const last = page.at(-1)?.id ?? after;
        if (page.length < pageSize.servers || last <= after) return servers;
        after = last;
      }
    },

    readServer: async (serverId) => {
      const { id, name, owner_id } = await call({
        method: "GET",
        path: `guilds/${serverId}`,
        answer: ServerAnswer,
      });
      return { serverId: id, name, ownerId: owner_id };
    },

    listRoles: async (serverId) => {
      const roles = await call({
        method: "GET",
        path: `guilds/${serverId}/roles`,
        answer: RolesAnswer,
      });
      return roles
        .filter(({ id }) => id !== serverId)
        .sort((one, other) => other.position - one.position)
        .map(({ id, name, permissions }) => ({
          roleId: id,
          name,
          administrator: (BigInt(permissions) & administratorRight) !== 0n,
        }));
    },

    listHolders: async (serverId, roleIds) => {
      const wanted = new Set(roleIds);
      const holders: bigint[] = [];
      let after = 0n;
      for (let page = 0; page < mostMemberPages; page++) {
        const path = `guilds/${serverId}/members?limit=${pageSize.members}&after=${after}`;
        const members = await call({ method: "GET", path, answer: MembersAnswer });
        for (const { user, roles } of members)
          if (!user.bot && roles.some((role) => wanted.has(role))) holders.push(user.id);
        const last = members.at(-1)?.user.id ?? after;
        if (members.length < pageSize.members || last <= after) break;
        after = last;
      }
      return holders;
    },

    listChannels: async (serverId) => {
      const channels = await call({
        method: "GET",
        path: `guilds/${serverId}/channels`,
        answer: ChannelsAnswer,
      });
      return channels
        .filter(({ type }) => textChannels.includes(type))
        .sort((one, other) => one.position - other.position)
        .map(({ id, name }) => ({ channelId: id, name: name ?? String(id) }));
    },

    finishInteraction: async ({ applicationId, token }, message) => {
      const path = `webhooks/${applicationId}/${encodeURIComponent(token)}/messages/@original`;
      await call({ method: "PATCH", path, body: messageBody(message), answer: z.unknown() });
    },

    registerCommands: async (commands) => {
      const { id } = await call({
        method: "GET",
        path: "applications/@me",
        answer: ApplicationAnswer,
      });
      const body = commands.map(commandBody);
      await call({ method: "PUT", path: `applications/${id}/commands`, body, answer: z.unknown() });
    },
  };
}

const MessageAnswer = z.object({ id: SnowflakeText });

const ApplicationAnswer = z.object({ id: SnowflakeText });

const DirectChannelAnswer = z.object({ id: SnowflakeText });

const ServersAnswer = z.array(z.object({ id: SnowflakeText, name: z.string() }));

const ServerAnswer = z.object({ id: SnowflakeText, name: z.string(), owner_id: SnowflakeText });

const RolesAnswer = z.array(
  z.object({
    id: SnowflakeText,
    name: z.string(),
    permissions: z.string().regex(/^[0-9]{1,40}$/),
    position: z.number().default(0),
  }),
);

const MembersAnswer = z.array(
  z.object({
    user: z.object({ id: SnowflakeText, bot: z.boolean().default(false) }),
    roles: z.array(SnowflakeText),
  }),
);

const ChannelsAnswer = z.array(
  z.object({
    id: SnowflakeText,
    name: z.string().nullish(),
    type: z.number(),
    position: z.number().default(0),
  }),
);
