import type { PortalUser } from "#server/actor";
import { noAnswer } from "#server/chat/transport";
import type { Context } from "#server/context";
import { UnknownChatServer } from "#server/failures";
import { mayDecideForFaction, readMembership } from "../positions/membership";
import { chatLinkOf } from "./read-chat-link";
import {
  findChatId,
  findChatLinkSides,
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

export type ChatServerPage = Awaited<ReturnType<typeof showChatServer>>;

/** `live` is from calls to the chat; null if it did not answer. */
export async function showChatServer(ctx: Context, user: PortalUser, serverId: bigint) {
  const { name } = await administeredServer(ctx, user, serverId);
  const on = ctx.database.query;
  const [listed, waiting, live] = [
    await listListedFactions(on, serverId),
    await listWaitingFactions(on, serverId),
    await liveNames(ctx, serverId).catch(noAnswer),
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
    namedChannels(ctx, serverId),
    ctx.chat.listRoles(serverId),
  ]);
  return { channels, roles: roles.map(({ roleId, name }) => ({ id: String(roleId), name })) };
}

/** @throws ChatFailure */
export async function namedChannels(ctx: Context, serverId: bigint): Promise<Named[]> {
  const channels = await ctx.chat.listChannels(serverId);
  return channels.map(({ channelId, name }) => ({ id: String(channelId), name }));
}

export type FactionChat = NonNullable<Awaited<ReturnType<typeof showFactionChat>>>;

/** `choices` are the servers that list the faction or that the member administers. */
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
  return chatId === undefined ? [] : listServersOf(on, chatId);
}

/** @throws UnknownChatServer also for existing servers that the user does not administer */
export async function administeredServer(ctx: Context, user: PortalUser, serverId: bigint) {
  const server = (await listAdministeredServers(ctx, user)).find(
    (own) => own.serverId === serverId,
  );
  if (!server)
    throw UnknownChatServer.because({ message: "You do not administer this chat server." });
  return server;
}
