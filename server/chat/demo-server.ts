import type { RecordedServer } from "./recorded-chat";

/** The chat account of the demo world's developer, as the simulated game tells it. */
const developer = 705_441_241_713_606_657n;
const captain = 410_000_000_000_000_003n;

/** The one server of the recorded chat in the demo world, where the demo faction shows its requests. */
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

/** Where the demo faction's requests are shown, and which roles they mention. */
export const demoBanking = {
  channelId: demoChatServer.channels[1].channelId,
  roleIds: [demoChatServer.roles[1].roleId],
};
