import type { PortalUser } from "#server/actor";
import { isChatFailure } from "#server/chat/chat-failure";
import type { Context } from "#server/context";
import { administeredServer } from "./administered-server";
import { listListedFactions, listWaitingFactions } from "./store";

/** Something of the chat by id and name. The id is a text, because a page's numbers would round it. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** A chat server as its administrators see it. */
export interface ChatServerPage {
  readonly serverId: string;
  readonly name: string;
  readonly factions: readonly {
    readonly factionId: number;
    readonly name: string;
    /** Whether the faction names this server, too. */
    readonly agrees: boolean;
    readonly channelId: string | null;
    readonly roleIds: readonly string[];
  }[];
  /** Factions that name this server and are not listed by it. */
  readonly waiting: readonly { readonly factionId: number; readonly name: string }[];
  /** As the chat just said; null where it did not answer. */
  readonly live: { readonly channels: readonly Named[]; readonly roles: readonly Named[] } | null;
}

/** @throws UnknownChatServer for a server that the user does not administer */
export async function showChatServer(ctx: Context, user: PortalUser, serverId: bigint): Promise<ChatServerPage> {
  const { name } = await administeredServer(ctx, user, serverId);
  const on = ctx.database.query;
  const [listed, waiting, live] = [
    await listListedFactions(on, serverId),
    await listWaitingFactions(on, serverId),
    await liveNames(ctx, serverId),
  ];
  const factions = listed.map(({ factionId, name: factionName, namesServerId, channelId, roleIds }) => ({
    factionId,
    name: factionName ?? `Faction ${factionId}`,
    agrees: namesServerId === serverId,
    channelId: channelId === null ? null : String(channelId),
    roleIds: roleIds.map(String),
  }));
  return { serverId: String(serverId), name, factions, waiting, live };
}

async function liveNames(ctx: Context, serverId: bigint): Promise<ChatServerPage["live"]> {
  try {
    const [channels, roles] = await Promise.all([ctx.chat.listChannels(serverId), ctx.chat.listRoles(serverId)]);
    return {
      channels: channels.map(({ channelId, name }) => ({ id: String(channelId), name })),
      roles: roles.map(({ roleId, name }) => ({ id: String(roleId), name })),
    };
  } catch (thrown) {
    if (!isChatFailure(thrown)) throw thrown;
    return null;
  }
}
