import { LRUCache } from "lru-cache";
import type { Settings } from "#server/platform/env";
import {
  type ChatChannel,
  type ChatClient,
  type ChatRole,
  type ChatServer,
  createChatClient,
} from "./client";
import type { ChatMessage } from "./message";
import { chatFailure } from "./transport";

export interface RecordedMessage {
  readonly messageId: bigint;
  readonly channelId: bigint;
  message: ChatMessage;
  edits: number;
}

export interface RecordedServer extends ChatServer {
  readonly ownerId: bigint;
  readonly roles: readonly ChatRole[];
  readonly channels: readonly ChatChannel[];
  readonly holders: readonly { readonly chatId: bigint; readonly roleId: bigint }[];
}

export interface RecordedChat extends ChatClient {
  /** Oldest first; only the newest few hundred are kept. */
  readonly messages: readonly RecordedMessage[];
}

const mostKept = 500;

/** For an installation without a chat. */
export function recordedChat(servers: readonly RecordedServer[]): RecordedChat {
  const messages: RecordedMessage[] = [];
  const posted = new LRUCache<string, bigint>({ max: mostKept });
  let newest = 1_000_000_000_000_000_000n;

  const serverOf = (serverId: bigint): RecordedServer => {
    const server = servers.find((known) => known.serverId === serverId);
    if (!server) throw chatFailure({ kind: "gone", detail: "no such chat server" });
    return server;
  };

  return {
    messages,
    postMessage: async (channelId, message, once) => {
      const before = posted.get(once);
      if (before !== undefined) return { messageId: before };
      newest += 1n;
      posted.set(once, newest);
      messages.push({ messageId: newest, channelId, message, edits: 0 });
      if (messages.length > mostKept) messages.shift();
      return { messageId: newest };
    },
    // A message from before a restart is unknown.
    editMessage: async (_channelId, messageId, message) => {
      const found = messages.find((one) => one.messageId === messageId);
      if (found) Object.assign(found, { message, edits: found.edits + 1 });
    },
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

/** As in the simulated game. */
const developer = 705_441_241_713_606_657n;
const captain = 410_000_000_000_000_003n;

export const demoChatServer = {
  serverId: 410_000_000_000_000_001n,
  name: "Lanternwatch Hall",
  ownerId: developer,
  roles: [
    { roleId: captain, name: "Captain", administrator: true },
    { roleId: 410_000_000_000_000_005n, name: "Bankers", administrator: false },
  ],
  channels: [
    { channelId: 410_000_000_000_000_011n, name: "lobby" },
    { channelId: 410_000_000_000_000_013n, name: "vault" },
  ],
  holders: [{ chatId: developer, roleId: captain }],
} as const satisfies RecordedServer;

export const demoBankingChannel = {
  channelId: demoChatServer.channels[1].channelId,
  roleIds: [demoChatServer.roles[1].roleId],
};

export function createChat({ chatBot, demo }: Settings, now: () => Date): ChatClient {
  if (!chatBot) return recordedChat(demo ? [demoChatServer] : []);
  return createChatClient({
    baseUrl: chatBot.apiUrl,
    token: chatBot.token,
    fetch: (request, init) => fetch(request, init),
    now,
  });
}
