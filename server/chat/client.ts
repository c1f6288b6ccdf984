import { z } from "zod";
import {
  type ChatCommand,
  type ChatMessage,
  commandBody,
  messageBody,
  SnowflakeText,
} from "./message";
import { type ChatTransportOptions, createChatTransport } from "./transport";

const mostMemberPages = 50;
const administratorRight = 8n;
const textChannels = [0, 5];
/** Milliseconds; less than the outbox lease. */
const chatTimeoutMs = 8_000;

export type ChatClient = ReturnType<typeof createChatClient>;

/** Only this folder knows the words of the one chat. Every method throws `ChatFailure` alone. */
export function createChatClient(
  options: Omit<ChatTransportOptions, "timeoutMs"> & { timeoutMs?: number },
) {
  const call = createChatTransport({ timeoutMs: chatTimeoutMs, ...options });

  /** Pages are in order of ids. */
  async function allPages<Row>(
    path: string,
    answer: z.ZodType<Row[]>,
    of: { size: number; most: number; idOf: (row: Row) => bigint },
  ): Promise<Row[]> {
    const rows: Row[] = [];
    let after = 0n;
    for (let pages = 0; pages < of.most; pages++) {
      const asked = `${path}?limit=${of.size}&after=${after}`;
      const page = await call({ method: "GET", path: asked, answer });
      rows.push(...page);
      const last = page.at(-1);
      if (!last || page.length < of.size || of.idOf(last) <= after) break;
      after = of.idOf(last);
    }
    return rows;
  }

  return {
    /** @param once idempotency key, ≤ 25 characters, valid for some minutes */
    postMessage: async (channelId: bigint, message: ChatMessage, once: string) => {
      const body = { ...messageBody(message), nonce: once, enforce_nonce: true };
      const { id } = await call({
        method: "POST",
        path: `channels/${channelId}/messages`,
        body,
        answer: IdAnswer,
      });
      return { messageId: id };
    },

    editMessage: async (channelId: bigint, messageId: bigint, message: ChatMessage) => {
      const path = `channels/${channelId}/messages/${messageId}`;
      await call({ method: "PATCH", path, body: messageBody(message), answer: z.unknown() });
    },

    /** Idempotent. */
    openDirectChannel: async (recipientId: bigint) => {
      const body = { recipient_id: String(recipientId) };
      const { id } = await call({
        method: "POST",
        path: "users/@me/channels",
        body,
        answer: IdAnswer,
      });
      return { channelId: id };
    },

    listServers: async () => {
      const listed = await allPages("users/@me/guilds", ServersAnswer, {
        ...{ size: 200, most: Number.POSITIVE_INFINITY, idOf: ({ id }) => id },
      });
      return listed.map(({ id, name }) => ({ serverId: id, name }));
    },

    readServer: async (serverId: bigint) => {
      const { id, name, owner_id } = await call({
        method: "GET",
        path: `guilds/${serverId}`,
        answer: ServerAnswer,
      });
      return { serverId: id, name, ownerId: owner_id };
    },

    /** Highest first, without the default role. An administrator has every right on the server. */
    listRoles: async (serverId: bigint) => {
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

    listHolders: async (serverId: bigint, roleIds: readonly bigint[]) => {
      const members = await allPages(`guilds/${serverId}/members`, MembersAnswer, {
        ...{ size: 1_000, most: mostMemberPages, idOf: ({ user }) => user.id },
      });
      return members
        .filter(({ user, roles }) => !user.bot && roles.some((role) => roleIds.includes(role)))
        .map(({ user }) => user.id);
    },

    /** Text channels, from top to bottom. */
    listChannels: async (serverId: bigint) => {
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

    finishInteraction: async (
      { applicationId, token }: { applicationId: bigint; token: string },
      message: ChatMessage,
    ) => {
      const path = `webhooks/${applicationId}/${encodeURIComponent(token)}/messages/@original`;
      await call({ method: "PATCH", path, body: messageBody(message), answer: z.unknown() });
    },

    /** Replaces all commands. */
    registerCommands: async (commands: readonly ChatCommand[]) => {
      const { id } = await call({
        method: "GET",
        path: "applications/@me",
        answer: IdAnswer,
      });
      const body = commands.map(commandBody);
      await call({ method: "PUT", path: `applications/${id}/commands`, body, answer: z.unknown() });
    },
  };
}

const IdAnswer = z.object({ id: SnowflakeText });

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
