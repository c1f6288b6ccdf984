import type { Settings } from "#server/platform/env";
import { type ChatClient, createChatClient } from "./client";
import { chatFailure } from "./transport";

interface SimulatedServer {
  readonly serverId: bigint;
  readonly name: string;
  readonly ownerId: bigint;
  readonly roles: Readonly<Awaited<ReturnType<ChatClient["listRoles"]>>>;
  readonly channels: Readonly<Awaited<ReturnType<ChatClient["listChannels"]>>>;
  readonly holders: readonly { readonly chatId: bigint; readonly roleId: bigint }[];
}

/** For an installation without a chat: drops the messages. */
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

/** As in the simulated game. */
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

export function createChat({ chatBot, demo }: Settings, now: () => Date): ChatClient {
  if (!chatBot) return silentChat(demo ? [demoChatServer] : []);
  return createChatClient({
    baseUrl: chatBot.apiUrl,
    token: chatBot.token,
    fetch: (request, init) => fetch(request, init),
    now,
  });
}
