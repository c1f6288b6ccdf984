import { z } from "zod";
import type { Settings } from "#server/platform/env";
import {
  type ChatCommand,
  type ChatMessage,
  commandBody,
  messageBody,
  SnowflakeText,
} from "./message";
import { type ChatTransportOptions, chatFailure, createChatTransport } from "./transport";

const mostMemberPages = 50;
const administratorRight = 8n;
const textChannels = [0, 5];
/** Milliseconds. */
const chatTimeoutMs = 8_000;

export type ChatClient = ReturnType<typeof createChatClient>;

/** Methods throw only `ChatFailure`. */
export function createChatClient(
  options: Omit<ChatTransportOptions, "timeoutMs"> & { timeoutMs?: number },
) {
  const call = createChatTransport({ timeoutMs: chatTimeoutMs, ...options });

  async function allPages<Row>(
    path: string,
    answer: z.ZodType<Row[]>,
    of: { size: number; most: number; idOf: (row: Row) => bigint },
  ): Promise<Row[]> {
    const rows: Row[] = [];
    let after = 0n;
    for (let pages = 0; pages < of.most; pages++) {
      const asked = `${path}?limit=${of.size}&after=${after}`;
      const page = await call("GET", asked, answer);
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
      const { id } = await call("POST", `channels/${channelId}/messages`, IdAnswer, body);
      return { messageId: id };
    },

    editMessage: async (channelId: bigint, messageId: bigint, message: ChatMessage) => {
      const path = `channels/${channelId}/messages/${messageId}`;
      await call("PATCH", path, z.unknown(), messageBody(message));
    },

    /** Idempotent. */
    openDirectChannel: async (recipientId: bigint) => {
      const body = { recipient_id: String(recipientId) };
      const { id } = await call("POST", "users/@me/channels", IdAnswer, body);
      return { channelId: id };
    },

    listServers: async () => {
      const listed = await allPages("users/@me/guilds", ServersAnswer, {
        size: 200,
        most: Number.POSITIVE_INFINITY,
        idOf: ({ id }) => id,
      });
      return listed.map(({ id, name }) => ({ serverId: id, name }));
    },

    readServer: async (serverId: bigint) => {
      const { id, name, owner_id } = await call("GET", `guilds/${serverId}`, ServerAnswer);
      return { serverId: id, name, ownerId: owner_id };
    },

    listRoles: async (serverId: bigint) => {
      const roles = await call("GET", `guilds/${serverId}/roles`, RolesAnswer);
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
        size: 1_000,
        most: mostMemberPages,
        idOf: ({ user }) => user.id,
      });
      return members
        .filter(({ user, roles }) => !user.bot && roles.some((role) => roleIds.includes(role)))
        .map(({ user }) => user.id);
    },

    listChannels: async (serverId: bigint) => {
      const channels = await call("GET", `guilds/${serverId}/channels`, ChannelsAnswer);
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
      await call("PATCH", path, z.unknown(), messageBody(message));
    },

    /** Replaces all commands. */
    registerCommands: async (commands: readonly ChatCommand[]) => {
      const { id } = await call("GET", "applications/@me", IdAnswer);
      const body = commands.map(commandBody);
      await call("PUT", `applications/${id}/commands`, z.unknown(), body);
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

interface SimulatedServer {
  readonly serverId: bigint;
  readonly name: string;
  readonly ownerId: bigint;
  readonly roles: Readonly<Awaited<ReturnType<ChatClient["listRoles"]>>>;
  readonly channels: Readonly<Awaited<ReturnType<ChatClient["listChannels"]>>>;
  readonly holders: readonly { readonly chatId: bigint; readonly roleId: bigint }[];
}

/** Drops messages, for an installation without a chat. */
function silentChat(servers: readonly SimulatedServer[]): ChatClient {
  let newest = 1_000_000_000_000_000_000n;
  const serverOf = (serverId: bigint) => {
    const server = servers.find((known) => known.serverId === serverId);
    if (!server) throw chatFailure({ kind: "gone", detail: "no such chat server" });
    return server;
  };
  return {
    postMessage: async () => {
      newest += 1n;
      return { messageId: newest };
    },
    editMessage: async () => {},
    openDirectChannel: async (recipientId) => ({ channelId: recipientId }),
    listServers: async () => servers.map(({ serverId, name }) => ({ serverId, name })),
    readServer: async (serverId) => {
      const { name, ownerId } = serverOf(serverId);
      return { serverId, name, ownerId };
    },
    listRoles: async (serverId) => [...serverOf(serverId).roles],
    listHolders: async (serverId, roleIds) =>
      serverOf(serverId)
        .holders.filter(({ roleId }) => roleIds.includes(roleId))
        .map(({ chatId }) => chatId),
    listChannels: async (serverId) => [...serverOf(serverId).channels],
    finishInteraction: async () => {},
    registerCommands: async () => {},
  };
}

/** The same numbers as in the simulated game. */
const developer = 705_441_241_713_606_657n;
const captain = 410_000_000_000_000_003n;
const bankers = 410_000_000_000_000_005n;
const vaultChannel = 410_000_000_000_000_013n;

export const demoChatServer = {
  serverId: 410_000_000_000_000_001n,
  name: "Lanternwatch Hall",
  ownerId: developer,
  roles: [
    { roleId: captain, name: "Captain", administrator: true },
    { roleId: bankers, name: "Bankers", administrator: false },
  ],
  channels: [
    { channelId: 410_000_000_000_000_011n, name: "lobby" },
    { channelId: vaultChannel, name: "vault" },
  ],
  holders: [{ chatId: developer, roleId: captain }],
} as const satisfies SimulatedServer;

export const demoBankingChannel = { channelId: vaultChannel, roleIds: [bankers] };

export function chatClientOf({ chatBot, demo }: Settings, now: () => Date): ChatClient {
  if (!chatBot) return silentChat(demo ? [demoChatServer] : []);
  return createChatClient({
    baseUrl: chatBot.apiUrl,
    token: chatBot.token,
    fetch: (request, init) => fetch(request, init),
    now,
  });
}
