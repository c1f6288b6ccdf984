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

/** A chat server as the portal names it; ids are texts, because a page's numbers would round them. */
export interface NamedServer {
  readonly serverId: string;
  /** Null where our bot is not in it. */
  readonly name: string | null;
}

/** The faction's side of its link, as a member sees it. */
export interface FactionChat {
  readonly factionId: number;
  readonly factionName: string;
  readonly state: ChatLink["state"];
  /** The server that the faction names. */
  readonly server: NamedServer | null;
  readonly mayChange: boolean;
  /** What of hits and delayed crimes a channel shows. */
  readonly shown: EventsChoice["shown"];
  /** Servers to choose from: those that list the faction, and those that the member administers. */
  readonly choices: readonly NamedServer[];
}

/** How the user's faction is linked to a chat server; null for a player without a faction. */
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

/** The chat servers that the user administers, by name. */
export async function listAdministeredServers(
  ctx: Context,
  { playerId }: Pick<PortalUser, "playerId">,
): Promise<KnownServer[]> {
  const on = ctx.database.query;
  const chatId = await readChatId(on, playerId);
  return chatId === undefined ? [] : listServersOf(on, chatId);
}

/**
 * A chat server that the user administers.
 * @throws UnknownChatServer for every other one, whether it exists or not
 */
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
