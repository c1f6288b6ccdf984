import type { PortalUser } from "#server/actor";
import { isChatFailure } from "#server/chat/transport";
import type { Context } from "#server/context";
import { UnknownChatServer } from "#server/failures";
import { mayDecideForFaction, readMembership } from "../positions/membership";
import { type ChatLink, chatLinkOf, readChatId } from "./read-chat-link";
import {
  type EventsChoice,
  findChatLinkSides,
  type KnownServer,
  listListedFactions,
  listServersOf,
  listServersThatList,
  listWaitingFactions,
} from "./store";

/** Ids are strings, because JavaScript numbers would round them. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface ChatServerPage {
  readonly serverId: string;
  readonly name: string;
  readonly factions: readonly {
    readonly factionId: number;
    readonly name: string;
    readonly agrees: boolean;
    readonly channelId: string | null;
    readonly roleIds: readonly string[];
  }[];
  readonly waiting: readonly { readonly factionId: number; readonly name: string }[];
  /** From a live call; null if the chat did not answer. */
  readonly live: { readonly channels: readonly Named[]; readonly roles: readonly Named[] } | null;
}

export async function showChatServer(
  ctx: Context,
  user: PortalUser,
  serverId: bigint,
): Promise<ChatServerPage> {
  const { name } = await administeredServer(ctx, user, serverId);
  const on = ctx.database.query;
  const [listed, waiting, live] = [
    await listListedFactions(on, serverId),
    await listWaitingFactions(on, serverId),
    await liveNames(ctx, serverId),
  ];
  const factions = listed.map(
    ({ factionId, name: factionName, namesServerId, channelId, roleIds }) => ({
      factionId,
      name: factionName ?? `Faction ${factionId}`,
      agrees: namesServerId === serverId,
      channelId: channelId === null ? null : String(channelId),
      roleIds: roleIds.map(String),
    }),
  );
  return { serverId: String(serverId), name, factions, waiting, live };
}

async function liveNames(ctx: Context, serverId: bigint): Promise<ChatServerPage["live"]> {
  try {
    const [channels, roles] = await Promise.all([
      ctx.chat.listChannels(serverId),
      ctx.chat.listRoles(serverId),
    ]);
    return {
      channels: channels.map(({ channelId, name }) => ({ id: String(channelId), name })),
      roles: roles.map(({ roleId, name }) => ({ id: String(roleId), name })),
    };
  } catch (thrown) {
    if (!isChatFailure(thrown)) throw thrown;
    return null;
  }
}

export interface NamedServer {
  readonly serverId: string;
  readonly name: string | null;
}

export interface FactionChat {
  readonly factionId: number;
  readonly factionName: string;
  readonly state: ChatLink["state"];
  readonly server: NamedServer | null;
  readonly mayChange: boolean;
  readonly shown: EventsChoice["shown"];
  /** Servers that list the faction or that the member administers. */
  readonly choices: readonly NamedServer[];
}

export async function showFactionChat(
  ctx: Context,
  { playerId }: PortalUser,
): Promise<FactionChat | null> {
  const on = ctx.database.query;
  const membership = await readMembership(ctx.database, playerId);
  const { factionId, factionName } = membership;
  if (factionId === null) return null;
  const sides = await findChatLinkSides(on, factionId);
  const mayChange = mayDecideForFaction(membership);
  const chatId = mayChange ? await readChatId(on, playerId) : undefined;
  const known: KnownServer[] = mayChange
    ? [
        ...(await listServersThatList(on, factionId)),
        ...(chatId ? await listServersOf(on, chatId) : []),
      ]
    : [];
  const server = sides?.serverId
    ? { serverId: String(sides.serverId), name: sides.serverName }
    : null;
  return {
    factionId,
    factionName: factionName ?? `Faction ${factionId}`,
    state: chatLinkOf(sides).state,
    server,
    mayChange,
    shown: sides?.listed && sides.events.channelId !== null ? sides.events.shown : [],
    choices: distinct(known.map(({ serverId, name }) => ({ serverId: String(serverId), name }))),
  };
}

const distinct = (servers: readonly NamedServer[]): NamedServer[] => [
  ...new Map(servers.map((server) => [server.serverId, server])).values(),
];

export async function listAdministeredServers(
  ctx: Context,
  { playerId }: Pick<PortalUser, "playerId">,
): Promise<KnownServer[]> {
  const on = ctx.database.query;
  const chatId = await readChatId(on, playerId);
  return chatId === undefined ? [] : listServersOf(on, chatId);
}

/** @throws UnknownChatServer also for existing servers that the user does not administer */
export async function administeredServer(
  ctx: Context,
  user: PortalUser,
  serverId: bigint,
): Promise<KnownServer> {
  const server = (await listAdministeredServers(ctx, user)).find(
    (own) => own.serverId === serverId,
  );
  if (!server)
    throw UnknownChatServer.because({ message: "You do not administer this chat server." });
  return server;
}
