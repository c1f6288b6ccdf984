import type { PortalUser } from "#server/actor";
import { refreshServer } from "#server/chat/refresh-servers";
import { isChatFailure, nullOnChatFailure, publicChatError } from "#server/chat/transport";
import type { Context } from "#server/context";
import { FactionNotLinked, UnknownChatServer, wrongField } from "#server/failures";
import { charge } from "#server/platform/limiter/limiter";
import { deleteUnpostedCards, stopEventCards } from "../chat-events/show-events";
import { mayDecideForFaction, readMembership, requireMayDecide } from "../positions/membership";
import { listChannelNames, requireAdministeredServer } from "./read-chat-link";
import {
  type BankingSettings,
  deleteListing,
  type EventsChoice,
  type FactionListing,
  findChatLinkSides,
  insertListing,
  isKnownServer,
  listListedFactions,
  saveBankingSettings,
  saveChosenServer,
  saveEventsChoice,
} from "./store";

/** Per user, because each lookup of an unknown server is a call to the chat. */
const looksAMinute = 5;

/**
 * Idempotent. The link is complete only when the server lists the faction too.
 * @returns "outdated" if the stored server differs from `naming.shown`
 * @throws UnknownFaction, InsufficientFactionPermissions, UnknownChatServer (our bot is not in it),
 * ServiceUnavailable, TooManyRequests
 */
export async function chooseChatServer(
  ctx: Context,
  by: PortalUser,
  naming: {
    readonly serverId: bigint | null;
    readonly shown: bigint | null;
  },
): Promise<"saved" | "outdated"> {
  const { serverId, shown } = naming;
  const { factionId } = await requireMayDecide(
    ctx.database,
    by.playerId,
    "choose the faction's chat server",
  );
  if (serverId !== null) await meetServer(ctx, by, serverId);

  return ctx.database.transaction(async (tx) => {
    const saved = await saveChosenServer(tx, factionId, { shown, next: serverId });
    if (saved?.outcome !== "saved") return saved?.outcome === "outdated" ? "outdated" : "saved";
    const before = saved.before.chatServerId;
    if (before !== null) await deleteUnpostedCards(ctx, tx, factionId);
    const act = serverId === null ? "faction_chat.cleared" : "faction_chat.named";
    await ctx.audit(tx, by, act, {
      details: { faction: factionId },
      before: { server: before },
      after: { server: serverId },
    });
    return "saved";
  });
}

/** The bot may have been invited a moment ago, so unknown servers are looked up. */
async function meetServer(
  ctx: Context,
  { accountId }: PortalUser,
  serverId: bigint,
): Promise<void> {
  if (await isKnownServer(ctx.database.query, serverId)) return;
  await charge(ctx, { policy: "chat-server-looks", subject: accountId, limit: looksAMinute });
  try {
    await refreshServer(ctx, serverId);
  } catch (thrown) {
    if (!isChatFailure(thrown) || thrown.kind === "retry") throw publicChatError(thrown);
    throw UnknownChatServer.because({
      message: "Our bot is not in that chat server. Invite it first.",
      cause: thrown,
    });
  }
}

const mostListed = 50;

/**
 * The link is complete only when the faction names the server too.
 * @throws UnknownChatServer, UnknownElement with the wrong field
 */
export async function addFactionListing(
  ctx: Context,
  by: PortalUser,
  { serverId, factionId }: FactionListing,
) {
  const on = ctx.database.query;
  await requireAdministeredServer(ctx, by, serverId);
  const wrong = (message: string) => wrongField("faction_id", message);
  if (!(await findChatLinkSides(on, factionId))) throw wrong("No such faction is known here.");
  if ((await listListedFactions(on, serverId)).length >= mostListed)
    throw wrong(`A chat server lists no more than ${mostListed} factions.`);
  await ctx.database.transaction(async (tx) => {
    if (!(await insertListing(tx, { serverId, factionId }))) return;
    // If the faction was listed before, its old choice of channel must not return.
    await stopEventCards(ctx, tx, { serverId, factionId });
    const details = { server: String(serverId), faction: factionId };
    await ctx.audit(tx, by, "faction_listing.added", { details });
  });
}

/** The link ends at once, and the banking channel is forgotten. @throws UnknownChatServer */
export async function removeFactionListing(
  ctx: Context,
  by: PortalUser,
  { serverId, factionId }: FactionListing,
) {
  await requireAdministeredServer(ctx, by, serverId);
  await ctx.database.transaction(async (tx) => {
    if (!(await deleteListing(tx, { serverId, factionId }))) return;
    await stopEventCards(ctx, tx, { serverId, factionId });
    const details = { server: String(serverId), faction: factionId };
    await ctx.audit(tx, by, "faction_listing.removed", { details });
  });
}

/** Makes a link without a user. A server that the faction already names stays. */
export async function linkForDemo(
  ctx: Context,
  { factionId, serverId, ...banking }: FactionListing & BankingSettings,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await saveChosenServer(tx, factionId, { shown: null, next: serverId });
    await insertListing(tx, { serverId, factionId }, banking);
  });
}

const mostRoles = 10;

/**
 * @param choice.shown the choice on the user's form
 * @returns "outdated", without a change, if the stored choice differs from `shown`
 * @throws UnknownChatServer, UnknownElement with the wrong field, FactionNotLinked,
 * ServiceUnavailable
 */
export async function setBankingChannel(
  ctx: Context,
  by: PortalUser,
  choice: FactionListing & BankingSettings & { readonly shown: BankingSettings },
): Promise<"saved" | "outdated"> {
  const { serverId, factionId, channelId, shown } = choice;
  const roleIds = [...new Set(choice.roleIds)];
  await requireAdministeredServer(ctx, by, serverId);
  await assertThere(ctx, { serverId, channelId, roleIds });
  return ctx.database.transaction(async (tx) => {
    const edit = { shown, next: { channelId, roleIds } };
    const saved = await saveBankingSettings(tx, { serverId, factionId }, edit);
    if (!saved) throw FactionNotLinked.because();
    if (saved.outcome !== "saved") return saved.outcome === "same" ? "saved" : "outdated";
    const { bankingChannelId, bankingRoleIds } = saved.before;
    await ctx.audit(tx, by, "banking_channel.changed", {
      details: { server: String(serverId), faction: factionId },
      before: { channel: bankingChannelId, roles: bankingRoleIds },
      after: { channel: channelId, roles: roleIds },
    });
    return "saved";
  });
}

/**
 * Queued cards of the old channel are withdrawn.
 * @returns "outdated" if the stored choice differs from `shownBefore`
 * @throws UnknownFaction, InsufficientFactionPermissions, FactionNotLinked, UnknownElement with the
 * field, ServiceUnavailable
 */
export async function setEventsChannel(
  ctx: Context,
  by: PortalUser,
  choosing: {
    readonly choice: EventsChoice;
    readonly shownBefore: EventsChoice;
  },
): Promise<"saved" | "outdated"> {
  const { channelId } = choosing.choice;
  const next = channelId === null ? { channelId, shown: [] } : choosing.choice;
  const { factionId } = await requireMayDecide(
    ctx.database,
    by.playerId,
    "choose what is shown in the chat",
  );
  if (channelId !== null && next.shown.length === 0)
    throw wrongField("shown", "Choose what to post: retaliations, delayed OCs or both.");
  const linked = await findChatLinkSides(ctx.database.query, factionId);
  if (!linked?.listed || linked.serverId === null) throw FactionNotLinked.because();
  const { serverId } = linked;
  await assertThere(ctx, { serverId, channelId, roleIds: [] });
  return ctx.database.transaction(async (tx) => {
    const edit = { shown: choosing.shownBefore, next };
    const saved = await saveEventsChoice(tx, { serverId, factionId }, edit);
    if (!saved || !(await findChatLinkSides(tx, factionId))?.listed)
      throw FactionNotLinked.because();
    if (saved.outcome !== "saved") return saved.outcome === "same" ? "saved" : "outdated";
    await deleteUnpostedCards(ctx, tx, factionId);
    const { eventsChannelId, eventsShown } = saved.before;
    await ctx.audit(tx, by, "events_channel.changed", {
      details: { faction: factionId, server: String(serverId) },
      before: { channel: eventsChannelId, shown: eventsShown },
      after: { channel: channelId, shown: next.shown },
    });
    return "saved";
  });
}

/** @throws UnknownElement for a missing channel or role, ServiceUnavailable */
async function assertThere(
  ctx: Context,
  chosen: {
    readonly serverId: bigint;
    readonly channelId: bigint | null;
    readonly roleIds: readonly bigint[];
  },
): Promise<void> {
  const { serverId, channelId, roleIds } = chosen;
  if (roleIds.length > mostRoles)
    throw wrongField("role_ids", `Choose no more than ${mostRoles} roles.`);
  const [channels, roles] = await Promise.all([
    channelId === null ? [] : ctx.chat.listChannels(serverId),
    roleIds.length === 0 ? [] : ctx.chat.listRoles(serverId),
  ]).catch((thrown: unknown) => {
    throw publicChatError(thrown);
  });
  if (channelId !== null && !channels.some((channel) => channel.channelId === channelId))
    throw wrongField("channel_id", "The chat server has no such text channel.");
  if (!roleIds.every((roleId) => roles.some((role) => role.roleId === roleId)))
    throw wrongField("role_ids", "The chat server has no such role.");
}

export type EventsChannelView = NonNullable<Awaited<ReturnType<typeof showEventsChannel>>>;

/**
 * Null without a link or the right to choose a channel. `channels` is null if the chat does not
 * answer.
 */
export async function showEventsChannel(ctx: Context, { playerId }: Pick<PortalUser, "playerId">) {
  const member = await readMembership(ctx.database, playerId);
  if (!member || !mayDecideForFaction(member)) return null;
  const sides = await findChatLinkSides(ctx.database.query, member.factionId);
  if (!sides?.listed || sides.serverId === null) return null;
  const { channelId, shown } = sides.events;
  return {
    channelId: channelId === null ? null : String(channelId),
    shown,
    channels: await listChannelNames(ctx, sides.serverId).catch(nullOnChatFailure),
  };
}
