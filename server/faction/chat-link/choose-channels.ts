import { isDeepStrictEqual } from "node:util";
import type { PortalUser } from "#server/actor";
import { isChatFailure } from "#server/chat/transport";
import type { Context } from "#server/context";
import {
  FactionNotLinked,
  InsufficientFactionPermissions,
  ServiceUnavailable,
  UnknownElement,
  UnknownFaction,
} from "#server/failures";
import { withdrawCards } from "../chat-events/event-cards";
import { mayDecideForFaction, readMembership } from "../positions/membership";
import { administeredServer, type Named } from "./show-chat-server";
import {
  type Banking,
  type EventsChoice,
  findChatLinkSides,
  lockBanking,
  lockNamedServer,
  setBanking,
  setEventsChoice,
} from "./store";

export interface BankingChoice {
  readonly serverId: bigint;
  readonly factionId: number;
  readonly channelId: bigint | null;
  readonly roleIds: readonly bigint[];
  /** The choice shown to the user, compared to detect a concurrent change. */
  readonly shown: Banking;
}

const mostRoles = 10;

/**
 * Channel and roles must exist.
 * @returns "outdated", without a change, if the choice changed since it was shown
 * @throws UnknownChatServer, UnknownElement with the wrong field, FactionNotLinked,
 * ServiceUnavailable
 */
export async function setBankingChannel(
  ctx: Context,
  by: PortalUser,
  choice: BankingChoice,
): Promise<"saved" | "outdated"> {
  const { serverId, factionId, channelId, shown } = choice;
  const roleIds = [...new Set(choice.roleIds)];
  await administeredServer(ctx, by, serverId);
  await assertThere(ctx, { serverId, channelId, roleIds });
  return ctx.database.transaction(async (tx) => {
    const before = await lockBanking(tx, { serverId, factionId });
    if (!before) throw FactionNotLinked.because();
    if (isSameBanking(before, { channelId, roleIds })) return "saved";
    if (!isSameBanking(before, shown)) return "outdated";
    await setBanking(tx, { serverId, factionId }, { channelId, roleIds });
    await ctx.audit(tx, by, "banking_channel.changed", {
      details: { server: String(serverId), faction: factionId },
      before: { channel: before.channelId, roles: before.roleIds },
      after: { channel: channelId, roles: roleIds },
    });
    return "saved";
  });
}

const isSameBanking = (one: Banking, other: Banking): boolean =>
  one.channelId === other.channelId &&
  isDeepStrictEqual(new Set(one.roleIds), new Set(other.roleIds));

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
  const { shownBefore } = choosing;
  const { channelId } = choosing.choice;
  const choice = channelId === null ? { channelId, shown: [] } : choosing.choice;
  const membership = await readMembership(ctx.database, by.playerId);
  const { factionId } = membership;
  if (factionId === null) throw UnknownFaction.because({ message: "You are not in a faction." });
  if (!mayDecideForFaction(membership))
    throw InsufficientFactionPermissions.because({
      message:
        "Only leaders, and members with faction API access, choose what is shown in the chat.",
    });
  const message = "Choose what to post: retaliations, delayed OCs or both.";
  if (channelId !== null && choice.shown.length === 0)
    throw UnknownElement.because({ message, details: { errors: [{ field: "shown", message }] } });
  const linked = await findChatLinkSides(ctx.database.query, factionId);
  if (!linked?.listed || linked.serverId === null) throw FactionNotLinked.because();
  const { serverId } = linked;
  await assertThere(ctx, { serverId, channelId, roleIds: [] });
  return ctx.database.transaction(async (tx) => {
    const named = await lockNamedServer(tx, factionId);
    const sides = await findChatLinkSides(tx, factionId);
    if (!sides?.listed || named !== serverId) throw FactionNotLinked.because();
    if (isSameChoice(sides.events, choice)) return "saved";
    if (!isSameChoice(sides.events, shownBefore)) return "outdated";
    await setEventsChoice(tx, { serverId, factionId }, choice);
    await withdrawCards(ctx, tx, factionId);
    await ctx.audit(tx, by, "events_channel.changed", {
      details: { faction: factionId, server: String(serverId) },
      before: { ...sides.events, channel: sides.events.channelId },
      after: { ...choice, channel: channelId },
    });
    return "saved";
  });
}

const isSameChoice = (one: EventsChoice, other: EventsChoice): boolean =>
  one.channelId === other.channelId && isDeepStrictEqual(new Set(one.shown), new Set(other.shown));

/** @throws UnknownElement for a missing channel or role, ServiceUnavailable */
async function assertThere(
  ctx: Context,
  { serverId, channelId, roleIds }: Pick<BankingChoice, "serverId" | "channelId" | "roleIds">,
): Promise<void> {
  const wrong = (field: string, message: string) =>
    UnknownElement.because({ message, details: { errors: [{ field, message }] } });
  if (roleIds.length > mostRoles)
    throw wrong("role_ids", `Choose no more than ${mostRoles} roles.`);
  try {
    const channels = channelId === null ? [] : await ctx.chat.listChannels(serverId);
    if (channelId !== null && !channels.some((channel) => channel.channelId === channelId))
      throw wrong("channel_id", "The chat server has no such text channel.");
    const roles = roleIds.length === 0 ? [] : await ctx.chat.listRoles(serverId);
    if (!roleIds.every((roleId) => roles.some((role) => role.roleId === roleId)))
      throw wrong("role_ids", "The chat server has no such role.");
  } catch (thrown) {
    if (!isChatFailure(thrown)) throw thrown;
    throw ServiceUnavailable.because({
      message: "The chat does not answer. Try again in a minute.",
      cause: thrown,
    });
  }
}

export interface EventsChannelForm {
  readonly channelId: string | null;
  readonly shown: EventsChoice["shown"];
  readonly channels: readonly Named[] | null;
}

export async function showEventsChannel(
  ctx: Context,
  { playerId }: Pick<PortalUser, "playerId">,
): Promise<EventsChannelForm | null> {
  const membership = await readMembership(ctx.database, playerId);
  if (membership.factionId === null || !mayDecideForFaction(membership)) return null;
  const sides = await findChatLinkSides(ctx.database.query, membership.factionId);
  if (!sides?.listed || sides.serverId === null) return null;
  const { channelId, shown } = sides.events;
  const channels = await ctx.chat.listChannels(sides.serverId).catch((thrown: unknown) => {
    if (!isChatFailure(thrown)) throw thrown;
    return null;
  });
  return {
    ...{ channelId: channelId === null ? null : String(channelId), shown },
    channels:
      channels?.map((channel) => ({ id: String(channel.channelId), name: channel.name })) ?? null,
  };
}
