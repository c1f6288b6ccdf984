import { and, arrayContains, asc, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, chatIdentities } from "#db/schema/accounts";
import { chatServerFactions, chatServers } from "#db/schema/chat";
import { factions, players } from "#db/schema/players";

export interface ChatLinkSides {
  readonly serverId: bigint | null;
  readonly serverName: string | null;
  readonly listed: boolean;
  readonly channelId: bigint | null;
  readonly roleIds: readonly bigint[] | null;
  /** Channel and kinds of event cards; valid only while both sides agree. */
  readonly events: EventsChoice;
}

export interface EventsChoice {
  readonly channelId: bigint | null;
  readonly shown: readonly ShownEvents[];
}

export type ShownEvents = "hits" | "delays";

export async function findChatLinkSides(
  on: Queryable,
  factionId: number,
): Promise<ChatLinkSides | undefined> {
  const [row] = await on
    .select({
      serverId: factions.chatServerId,
      serverName: chatServers.name,
      listedId: chatServerFactions.factionId,
      channelId: chatServerFactions.bankingChannelId,
      roleIds: chatServerFactions.bankingRoleIds,
      events: { channelId: factions.eventsChannelId, shown: factions.eventsShown },
    })
    .from(factions)
    .leftJoin(chatServers, eq(chatServers.id, factions.chatServerId))
    .leftJoin(
      chatServerFactions,
      and(
        eq(chatServerFactions.serverId, factions.chatServerId),
        eq(chatServerFactions.factionId, factions.id),
      ),
    )
    .where(eq(factions.id, factionId));
  if (!row) return undefined;
  const { listedId, ...sides } = row;
  return { ...sides, listed: listedId !== null };
}

/** Locked until the end of the transaction. */
export async function lockNamedServer(tx: Queryable, factionId: number): Promise<bigint | null> {
  const [row] = await tx
    .select({ serverId: factions.chatServerId })
    .from(factions)
    .where(eq(factions.id, factionId))
    .for("no key update");
  return row?.serverId ?? null;
}

/** @returns false if unchanged, or if the faction is unknown */
export async function setChatServer(
  tx: Queryable,
  factionId: number,
  serverId: bigint | null,
): Promise<boolean> {
  const changed = await tx
    .update(factions)
    .set({ chatServerId: serverId, eventsChannelId: null, eventsShown: [] })
    .where(
      and(eq(factions.id, factionId), sql`${factions.chatServerId} is distinct from ${serverId}`),
    )
    .returning({ id: factions.id });
  return changed.length > 0;
}

/** Only whole links; locked until the end of the transaction. */
export function lockEventsChoices(tx: Queryable, factionIds: readonly number[]) {
  return tx
    .select({
      factionId: factions.id,
      channelId: factions.eventsChannelId,
      shown: factions.eventsShown,
    })
    .from(factions)
    .innerJoin(chatServers, eq(chatServers.id, factions.chatServerId))
    .innerJoin(
      chatServerFactions,
      and(
        eq(chatServerFactions.serverId, factions.chatServerId),
        eq(chatServerFactions.factionId, factions.id),
      ),
    )
    .where(and(inArray(factions.id, [...factionIds]), isNotNull(factions.eventsChannelId)))
    .orderBy(asc(factions.id))
    .for("share", { of: factions });
}

/** @returns false, without a change, if the faction names another server */
export async function setEventsChoice(
  tx: Queryable,
  of: { serverId: bigint; factionId: number },
  { channelId, shown }: EventsChoice,
): Promise<boolean> {
  const changed = await tx
    .update(factions)
    .set({ eventsChannelId: channelId, eventsShown: [...shown] })
    .where(and(eq(factions.id, of.factionId), eq(factions.chatServerId, of.serverId)))
    .returning({ id: factions.id });
  return changed.length > 0;
}

const ownChatId = sql<bigint | null>`coalesce(${chatIdentities.chatId}, ${players.chatId})`.mapWith(
  players.chatId,
);

export async function findChatId(on: Queryable, playerId: number): Promise<bigint | undefined> {
  const [row] = await on
    .select({ chatId: ownChatId })
    .from(players)
    .leftJoin(accounts, eq(accounts.playerId, players.id))
    .leftJoin(chatIdentities, eq(chatIdentities.accountId, accounts.id))
    .where(eq(players.id, playerId));
  return row?.chatId ?? undefined;
}

/** Players by a link here or by the game's link, each with the account linked here. */
export function findPlayersOfChat(on: Queryable, chatId: bigint) {
  return on
    .select({
      playerId: players.id,
      accountId: accounts.id,
      banned: sql<boolean>`${accounts.bannedAt} is not null`,
      lastRefresh: players.lastRefresh,
      linkedId: chatIdentities.chatId,
    })
    .from(players)
    .leftJoin(accounts, eq(accounts.playerId, players.id))
    .leftJoin(chatIdentities, eq(chatIdentities.accountId, accounts.id))
    .where(or(eq(chatIdentities.chatId, chatId), eq(players.chatId, chatId)));
}

export interface KnownServer {
  readonly serverId: bigint;
  readonly name: string;
}

const aboutServer = { serverId: chatServers.id, name: chatServers.name };

export async function findServer(
  on: Queryable,
  serverId: bigint,
): Promise<KnownServer | undefined> {
  const [row] = await on.select(aboutServer).from(chatServers).where(eq(chatServers.id, serverId));
  return row;
}

export function listServersOf(on: Queryable, chatId: bigint): Promise<KnownServer[]> {
  return on
    .select(aboutServer)
    .from(chatServers)
    .where(arrayContains(chatServers.adminIds, [chatId]))
    .orderBy(asc(chatServers.name), asc(chatServers.id));
}

export function listServersThatList(on: Queryable, factionId: number): Promise<KnownServer[]> {
  return on
    .select(aboutServer)
    .from(chatServers)
    .innerJoin(chatServerFactions, eq(chatServerFactions.serverId, chatServers.id))
    .where(eq(chatServerFactions.factionId, factionId))
    .orderBy(asc(chatServers.name), asc(chatServers.id));
}

export interface ListedFaction {
  readonly factionId: number;
  readonly name: string | null;
  readonly namesServerId: bigint | null;
  readonly channelId: bigint | null;
  readonly roleIds: readonly bigint[];
}

export function listListedFactions(on: Queryable, serverId: bigint): Promise<ListedFaction[]> {
  return on
    .select({
      factionId: chatServerFactions.factionId,
      name: factions.name,
      namesServerId: factions.chatServerId,
      channelId: chatServerFactions.bankingChannelId,
      roleIds: chatServerFactions.bankingRoleIds,
    })
    .from(chatServerFactions)
    .leftJoin(factions, eq(factions.id, chatServerFactions.factionId))
    .where(eq(chatServerFactions.serverId, serverId))
    .orderBy(asc(chatServerFactions.factionId));
}

export function listWaitingFactions(on: Queryable, serverId: bigint) {
  return on
    .select({ factionId: factions.id, name: factions.name })
    .from(factions)
    .leftJoin(
      chatServerFactions,
      and(eq(chatServerFactions.serverId, serverId), eq(chatServerFactions.factionId, factions.id)),
    )
    .where(and(eq(factions.chatServerId, serverId), isNull(chatServerFactions.factionId)))
    .orderBy(asc(factions.id));
}

/** @returns false if it was already listed */
export async function insertListing(
  tx: Queryable,
  serverId: bigint,
  factionId: number,
): Promise<boolean> {
  const inserted = await tx
    .insert(chatServerFactions)
    .values({ serverId, factionId, bankingRoleIds: [] })
    .onConflictDoNothing()
    .returning({ factionId: chatServerFactions.factionId });
  return inserted.length > 0;
}

const listing = (serverId: bigint, factionId: number) =>
  and(eq(chatServerFactions.serverId, serverId), eq(chatServerFactions.factionId, factionId));

/** @returns false if it was not listed */
export async function deleteListing(
  tx: Queryable,
  serverId: bigint,
  factionId: number,
): Promise<boolean> {
  const deleted = await tx
    .delete(chatServerFactions)
    .where(listing(serverId, factionId))
    .returning({ factionId: chatServerFactions.factionId });
  return deleted.length > 0;
}

export interface Banking {
  readonly channelId: bigint | null;
  readonly roleIds: readonly bigint[];
}

/** Locked until the end of the transaction; undefined if the faction is not listed. */
export async function lockBanking(
  tx: Queryable,
  of: { serverId: bigint; factionId: number },
): Promise<Banking | undefined> {
  const [row] = await tx
    .select({
      channelId: chatServerFactions.bankingChannelId,
      roleIds: chatServerFactions.bankingRoleIds,
    })
    .from(chatServerFactions)
    .where(listing(of.serverId, of.factionId))
    .for("update");
  return row;
}

export async function setBanking(
  tx: Queryable,
  of: { serverId: bigint; factionId: number },
  { channelId, roleIds }: Banking,
): Promise<void> {
  await tx
    .update(chatServerFactions)
    .set({ bankingChannelId: channelId, bankingRoleIds: [...roleIds] })
    .where(listing(of.serverId, of.factionId));
}
