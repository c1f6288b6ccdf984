import { isDeepStrictEqual } from "node:util";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import { isChatFailure } from "#server/chat/chat-failure";
import type { Context } from "#server/context";
import { FactionNotLinked, InsufficientFactionPermissions, UnknownElement, UnknownFaction } from "#server/failures";
import { withdrawCards } from "../chat-events/end-event-cards";
import { readMembership } from "../positions/read-membership";
import { mayNameServer } from "./name-chat-server";
import { assertThere } from "./set-banking-channel";
import type { Named } from "./show-chat-server";
import { type EventsChoice, findChatLinkSides, lockNamedServer, setEventsChoice } from "./store";

const isSame = (one: EventsChoice, other: EventsChoice): boolean =>
  one.channelId === other.channelId && isDeepStrictEqual(new Set(one.shown), new Set(other.shown));

/**
 * Chooses the channel of the linked server in which the user's faction shows hits and delayed crimes, and which of them; without
 * a channel nothing is shown. What waits for the channel of before is taken back.
 * @param choosing.shownBefore what the user saw
 * @returns "outdated" where somebody else chose since the user looked; nothing is changed then
 * @throws UnknownFaction, InsufficientFactionPermissions, FactionNotLinked, UnknownElement with the field, ServiceUnavailable
 */
export async function setEventsChannel(
  ctx: Context,
  user: PortalUser,
  choosing: { readonly choice: EventsChoice; readonly shownBefore: EventsChoice; readonly origin: Origin },
): Promise<"saved" | "outdated"> {
  const { shownBefore, origin } = choosing;
  const { channelId } = choosing.choice;
  const choice = channelId === null ? { channelId, shown: [] } : choosing.choice;
  const membership = await readMembership(ctx.database, user.playerId);
  const { factionId } = membership;
  if (factionId === null) throw UnknownFaction.because({ message: "You are not in a faction." });
  if (!mayNameServer(membership))
    throw InsufficientFactionPermissions.because({
      message: "Only leaders, and members with faction API access, choose what is shown in the chat.",
    });
  const message = "Choose what to show: hits, delayed crimes or both.";
  if (channelId !== null && choice.shown.length === 0)
    throw UnknownElement.because({ message, details: { errors: [{ field: "shown", message }] } });
  const linked = await findChatLinkSides(ctx.database.query, factionId);
  if (!linked?.listed || linked.serverId === null) throw FactionNotLinked.because();
  const { serverId } = linked;
  await assertThere(ctx, { serverId, channelId, roleIds: [] });
  const { accountId } = user;
  return ctx.database.transaction(async (tx) => {
    const named = await lockNamedServer(tx, factionId);
    const sides = await findChatLinkSides(tx, factionId);
    if (!sides?.listed || named !== serverId) throw FactionNotLinked.because();
    if (isSame(sides.events, choice)) return "saved";
    if (!isSame(sides.events, shownBefore)) return "outdated";
    await setEventsChoice(tx, { serverId, factionId }, choice);
    await withdrawCards(ctx, tx, factionId);
    const details = { faction: factionId, server: String(serverId), shown: choice.shown };
    await ctx.audit(tx, {
      ...{ act: "faction-events-channel-changed", actor: `account:${accountId}`, accountId, origin },
      details: { ...details, channel: channelId === null ? null : String(channelId) },
    });
    return "saved";
  });
}

/** What the form of the choice needs. Null for those who may not choose, and while the link is not whole. */
export interface EventsChannelForm {
  readonly channelId: string | null;
  readonly shown: EventsChoice["shown"];
  /** The server's text channels, as the chat just said; null where it did not answer. */
  readonly channels: readonly Named[] | null;
}

export async function showEventsChannel(
  ctx: Context,
  { playerId }: Pick<PortalUser, "playerId">,
): Promise<EventsChannelForm | null> {
  const membership = await readMembership(ctx.database, playerId);
  if (membership.factionId === null || !mayNameServer(membership)) return null;
  const sides = await findChatLinkSides(ctx.database.query, membership.factionId);
  if (!sides?.listed || sides.serverId === null) return null;
  const { channelId, shown } = sides.events;
  const channels = await ctx.chat.listChannels(sides.serverId).catch((thrown: unknown) => {
    if (!isChatFailure(thrown)) throw thrown;
    return null;
  });
  return {
    ...{ channelId: channelId === null ? null : String(channelId), shown },
    channels: channels?.map((channel) => ({ id: String(channel.channelId), name: channel.name })) ?? null,
  };
}
