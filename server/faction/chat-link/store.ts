import { and, arrayContains, asc, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { saveIfUnchanged } from "#db/save-if-unchanged";
import { accounts, chatIdentities } from "#db/schema/accounts";
import { chatServerFactions, chatServers } from "#db/schema/chat";
import { factions, players } from "#db/schema/players";
import { hasRows } from "#db/select";

export type EventCardKind = (typeof factions.$inferSelect)["eventsShown"][number];

export interface EventsChoice {
  readonly channelId: bigint | null;
  readonly shown: readonly EventCardKind[];
}

export interface BankingSettings {
  readonly channelId: bigint | null;
  readonly roleIds: readonly bigint[];
}

export interface FactionListing {
  readonly serverId: bigint;
  readonly factionId: number;
}

interface Edit<Choice> {
  readonly shown: Choice;
  readonly next: Choice;
}

export type ChatLinkSides = NonNullable<Awaited<ReturnType<typeof findChatLinkSides>>>;

/** `events` applies only while `listed` is true. */
export async function findChatLinkSides(on: Queryable, factionId: number) {
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

const eventsColumns = ({ channelId, shown }: EventsChoice) => ({
  eventsChannelId: channelId,
  eventsShown: [...shown],
});
const noEvents = { channelId: null, shown: [] };

/** Clears the events choice, because its channel belongs to the old server. */
export const saveChosenServer = (
  tx: Queryable,
  factionId: number,
  { shown, next }: Edit<bigint | null>,
) =>
  saveIfUnchanged(tx, factions, {
    key: eq(factions.id, factionId),
    shown: { chatServerId: shown },
    next: { chatServerId: next, ...eventsColumns(noEvents) },
  });

const namesServer = ({ serverId, factionId }: FactionListing) =>
  and(eq(factions.id, factionId), eq(factions.chatServerId, serverId));

/** @returns undefined if the faction names another server */
export const saveEventsChoice = (
  tx: Queryable,
  of: FactionListing,
  { shown, next }: Edit<EventsChoice>,
) =>
  saveIfUnchanged(tx, factions, {
    key: namesServer(of),
    shown: eventsColumns(shown),
    next: eventsColumns(next),
  });

/** @returns false, without a change, if the faction names another server */
export const clearEventsChoice = (tx: Queryable, of: FactionListing): Promise<boolean> =>
  hasRows(
    tx
      .update(factions)
      .set(eventsColumns(noEvents))
      .where(namesServer(of))
      .returning({ id: factions.id }),
  );

/** Finds only factions and servers that name each other. */
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

/** A chat account linked in Adjutant wins over the game's link. */
export const effectiveChatId = sql<
  bigint | null
>`coalesce(${chatIdentities.chatId}, ${players.chatId})`.mapWith(players.chatId);

export async function findChatId(on: Queryable, playerId: number): Promise<bigint | undefined> {
  const [row] = await on
    .select({ chatId: effectiveChatId })
    .from(players)
    .leftJoin(accounts, eq(accounts.playerId, players.id))
    .leftJoin(chatIdentities, eq(chatIdentities.accountId, accounts.id))
    .where(eq(players.id, playerId));
  return row?.chatId ?? undefined;
}

export function listPlayersByChatId(on: Queryable, chatId: bigint) {
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

const aboutServer = { serverId: chatServers.id, name: chatServers.name };

export const isKnownServer = async (on: Queryable, serverId: bigint): Promise<boolean> =>
  (await on.$count(chatServers, eq(chatServers.id, serverId))) > 0;

export function listServersOfAdmin(on: Queryable, chatId: bigint) {
  return on
    .select(aboutServer)
    .from(chatServers)
    .where(arrayContains(chatServers.adminIds, [chatId]))
    .orderBy(asc(chatServers.name), asc(chatServers.id));
}

export function listServersThatList(on: Queryable, factionId: number) {
  return on
    .select(aboutServer)
    .from(chatServers)
    .innerJoin(chatServerFactions, eq(chatServerFactions.serverId, chatServers.id))
    .where(eq(chatServerFactions.factionId, factionId))
    .orderBy(asc(chatServers.name), asc(chatServers.id));
}

export function listListedFactions(on: Queryable, serverId: bigint) {
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

const bankingColumns = ({ channelId, roleIds }: BankingSettings) => ({
  bankingChannelId: channelId,
  bankingRoleIds: [...roleIds],
});

/** @returns false if the faction was already listed */
export const insertListing = (
  tx: Queryable,
  listed: FactionListing,
  banking: BankingSettings = { channelId: null, roleIds: [] },
): Promise<boolean> =>
  hasRows(
    tx
      .insert(chatServerFactions)
      .values({ ...listed, ...bankingColumns(banking) })
      .onConflictDoNothing()
      .returning({ factionId: chatServerFactions.factionId }),
  );

const isListing = ({ serverId, factionId }: FactionListing) =>
  and(eq(chatServerFactions.serverId, serverId), eq(chatServerFactions.factionId, factionId));

/** @returns false if the faction was not listed */
export const deleteListing = (tx: Queryable, listed: FactionListing): Promise<boolean> =>
  hasRows(
    tx
      .delete(chatServerFactions)
      .where(isListing(listed))
      .returning({ factionId: chatServerFactions.factionId }),
  );

/** @returns undefined if the faction is not listed */
export const saveBankingSettings = (
  tx: Queryable,
  of: FactionListing,
  { shown, next }: Edit<BankingSettings>,
) =>
  saveIfUnchanged(tx, chatServerFactions, {
    key: isListing(of),
    shown: bankingColumns(shown),
    next: bankingColumns(next),
  });
