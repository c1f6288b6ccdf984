import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import { nullOnChatFailure } from "#server/chat/transport";
import type { Context } from "#server/context";
import { BankingNotConfigured, FactionNotLinked, UnknownChatServer } from "#server/failures";
import { mayDecideForFaction, readMembership } from "../positions/membership";
import {
  type ChatLinkSides,
  type FactionListing,
  findChatId,
  findChatLinkSides,
  listListedFactions,
  listPlayersByChatId,
  listServersOfAdmin,
  listServersThatList,
  listWaitingFactions,
} from "./store";

/** A link made in Adjutant wins; the game's link counts only for players without such a link. */
export async function findChatPerson(on: Queryable, chatId: bigint) {
  const people = await listPlayersByChatId(on, chatId);
  return (
    people.find(({ linkedId }) => linkedId === chatId) ??
    people.find(({ linkedId }) => linkedId === null)
  );
}

export type ChatPerson = NonNullable<Awaited<ReturnType<typeof findChatPerson>>>;

type ChatLink =
  /** The faction names no server, or our bot is not in the server: UnknownChatServer. */
  | { readonly state: "no-server" }
  /** The server does not list the faction: FactionNotLinked. */
  | { readonly state: "not-listed" }
  /** The server chose no banking channel: BankingNotConfigured. */
  | { readonly state: "no-channel" }
  | {
      readonly state: "ready";
      readonly serverId: bigint;
      readonly channelId: bigint;
      readonly roleIds: readonly bigint[];
    };

export const readChatLink = async (on: Queryable, factionId: number): Promise<ChatLink> =>
  chatLinkOf(await findChatLinkSides(on, factionId));

/** @throws UnknownChatServer, FactionNotLinked, BankingNotConfigured */
export async function requireBankingLink(
  on: Queryable,
  factionId: number,
): Promise<Extract<ChatLink, { state: "ready" }>> {
  const link = await readChatLink(on, factionId);
  if (link.state === "no-server") throw UnknownChatServer.because();
  if (link.state === "not-listed") throw FactionNotLinked.because();
  if (link.state === "no-channel") throw BankingNotConfigured.because();
  return link;
}

function chatLinkOf(sides: ChatLinkSides | undefined): ChatLink {
  if (!sides || sides.serverName === null || sides.serverId === null) return { state: "no-server" };
  if (!sides.listed) return { state: "not-listed" };
  if (sides.channelId === null) return { state: "no-channel" };
  return {
    state: "ready",
    serverId: sides.serverId,
    channelId: sides.channelId,
    roleIds: sides.roleIds ?? [],
  };
}

/** True if faction and server name each other, even without a banking channel. */
export async function isLinkedWith(
  on: Queryable,
  { serverId, factionId }: FactionListing,
): Promise<boolean> {
  const sides = await findChatLinkSides(on, factionId);
  return sides !== undefined && sides.serverId === serverId && sides.listed;
}

/** Ids are strings, because JavaScript numbers would round them. */
export interface IdAndName {
  readonly id: string;
  readonly name: string;
}

export type ChatServerView = Awaited<ReturnType<typeof showChatServer>>;

/** `live` comes from the chat itself; null if the chat did not answer. */
export async function showChatServer(ctx: Context, user: PortalUser, serverId: bigint) {
  const { name } = await requireAdministeredServer(ctx, user, serverId);
  const on = ctx.database.query;
  const [listed, waiting, live] = [
    await listListedFactions(on, serverId),
    await listWaitingFactions(on, serverId),
    await liveNames(ctx, serverId).catch(nullOnChatFailure),
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

async function liveNames(ctx: Context, serverId: bigint) {
  const [channels, roles] = await Promise.all([
    listChannelNames(ctx, serverId),
    ctx.chat.listRoles(serverId),
  ]);
  return { channels, roles: roles.map(({ roleId, name }) => ({ id: String(roleId), name })) };
}

/** @throws ChatFailure */
export async function listChannelNames(ctx: Context, serverId: bigint): Promise<IdAndName[]> {
  const channels = await ctx.chat.listChannels(serverId);
  return channels.map(({ channelId, name }) => ({ id: String(channelId), name }));
}

export type FactionChat = NonNullable<Awaited<ReturnType<typeof showFactionChat>>>;

export async function showFactionChat(ctx: Context, { playerId }: PortalUser) {
  const on = ctx.database.query;
  const member = await readMembership(ctx.database, playerId);
  if (!member) return null;
  const { factionId, factionName } = member;
  const sides = await findChatLinkSides(on, factionId);
  const mayChange = mayDecideForFaction(member);
  const choices = mayChange
    ? [
        ...(await listServersThatList(on, factionId)),
        ...(await listAdministeredServers(ctx, { playerId })),
      ]
    : [];
  const server = sides?.serverId
    ? { serverId: String(sides.serverId), name: sides.serverName }
    : null;
  return {
    factionId,
    factionName,
    state: chatLinkOf(sides).state,
    server,
    mayChange,
    shown: sides?.listed && sides.events.channelId !== null ? sides.events.shown : [],
    choices: [
      ...new Map(
        choices.map(({ serverId, name }) => [serverId, { serverId: String(serverId), name }]),
      ).values(),
    ],
  };
}

export async function listAdministeredServers(
  ctx: Context,
  { playerId }: Pick<PortalUser, "playerId">,
) {
  const on = ctx.database.query;
  const chatId = await findChatId(on, playerId);
  return chatId === undefined ? [] : listServersOfAdmin(on, chatId);
}

/** @throws UnknownChatServer also for a server that the user does not administer */
export async function requireAdministeredServer(ctx: Context, user: PortalUser, serverId: bigint) {
  const server = (await listAdministeredServers(ctx, user)).find(
    (own) => own.serverId === serverId,
  );
  if (!server)
    throw UnknownChatServer.because({ message: "You do not administer this chat server." });
  return server;
}
