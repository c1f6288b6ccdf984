import type { PortalUser } from "#server/actor";
import { chatUnavailable, noAnswer } from "#server/chat/transport";
import type { Context } from "#server/context";
import { FactionNotLinked, wrongField } from "#server/failures";
import { withdrawCards } from "../chat-events/event-cards";
import { mayDecideForFaction, readMembership, requireMayDecide } from "../positions/membership";
import { administeredServer, namedChannels } from "./show-chat-server";
import {
  type Banking,
  type EventsChoice,
  findChatLinkSides,
  type Listing,
  saveBanking,
  saveEventsChoice,
} from "./store";

const mostRoles = 10;

/**
 * Channel and roles must exist.
 * @param choice.shown the choice shown to the user
 * @returns "outdated", without a change, if the choice changed since it was shown
 * @throws UnknownChatServer, UnknownElement with the wrong field, FactionNotLinked,
 * ServiceUnavailable
 */
export async function setBankingChannel(
  ctx: Context,
  by: PortalUser,
  choice: Listing & Banking & { readonly shown: Banking },
): Promise<"saved" | "outdated"> {
  const { serverId, factionId, channelId, shown } = choice;
  const roleIds = [...new Set(choice.roleIds)];
  await administeredServer(ctx, by, serverId);
  await assertThere(ctx, { serverId, channelId, roleIds });
  return ctx.database.transaction(async (tx) => {
    const edit = { shown, next: { channelId, roleIds } };
    const saved = await saveBanking(tx, { serverId, factionId }, edit);
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
 * @returns "outdated" if the choice differs from `shownBefore`
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
    await withdrawCards(ctx, tx, factionId);
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
    throw chatUnavailable(thrown);
  });
  if (channelId !== null && !channels.some((channel) => channel.channelId === channelId))
    throw wrongField("channel_id", "The chat server has no such text channel.");
  if (!roleIds.every((roleId) => roles.some((role) => role.roleId === roleId)))
    throw wrongField("role_ids", "The chat server has no such role.");
}

export type EventsChannelForm = NonNullable<Awaited<ReturnType<typeof showEventsChannel>>>;

/** Null if the user may not choose it. `channels` are null if the chat does not answer. */
export async function showEventsChannel(ctx: Context, { playerId }: Pick<PortalUser, "playerId">) {
  const member = await readMembership(ctx.database, playerId);
  if (!member || !mayDecideForFaction(member)) return null;
  const sides = await findChatLinkSides(ctx.database.query, member.factionId);
  if (!sides?.listed || sides.serverId === null) return null;
  const { channelId, shown } = sides.events;
  return {
    ...{ channelId: channelId === null ? null : String(channelId), shown },
    channels: await namedChannels(ctx, sides.serverId).catch(noAnswer),
  };
}
