import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import { isChatFailure } from "#server/chat/chat-failure";
import { refreshServer } from "#server/chat/servers/refresh-servers";
import type { Context } from "#server/context";
import {
  InsufficientFactionPermissions,
  ServiceUnavailable,
  TooManyRequests,
  UnknownChatServer,
  UnknownFaction,
} from "#server/failures";
import { endEventCards } from "../chat-events/end-event-cards";
import type { Membership } from "../positions/membership";
import { readMembership } from "../positions/read-membership";
import { findServer, insertListing, lockNamedServer, setBanking, setChatServer } from "./store";

/** Whether somebody may say for the faction which chat server is its own. */
export const mayNameServer = ({ factionId, leader, factionApiAccess }: Membership): boolean =>
  factionId !== null && (leader || factionApiAccess);

/** How often somebody may name a server that we do not know yet; calls a minute. Each is a question to the chat. */
const looksAMinute = 5;

/**
 * Says for the user's faction which chat server is its own, or that none is. That alone links nothing: the server must list
 * the faction, too. The same once more changes nothing.
 * @param naming.shown the server that the user saw named before
 * @returns "outdated" where somebody else named another one since the user looked; nothing is changed then
 * @throws UnknownFaction, InsufficientFactionPermissions, UnknownChatServer (our bot is not in it), ServiceUnavailable, TooManyRequests
 */
export async function nameChatServer(
  ctx: Context,
  user: PortalUser,
  naming: { readonly serverId: bigint | null; readonly shown: bigint | null; readonly origin: Origin },
): Promise<"saved" | "outdated"> {
  const { serverId, shown, origin } = naming;
  const membership = await readMembership(ctx.database, user.playerId);
  const { factionId } = membership;
  if (factionId === null) throw UnknownFaction.because({ message: "You are not in a faction." });
  if (!mayNameServer(membership))
    throw InsufficientFactionPermissions.because({
      message: "Only leaders, and members with faction API access, choose the faction's chat server.",
    });
  if (serverId !== null) await meetServer(ctx, user, serverId);

  const { accountId } = user;
  return ctx.database.transaction(async (tx) => {
    const before = await lockNamedServer(tx, factionId);
    if (before === serverId) return "saved";
    if (before !== shown) return "outdated";
    if (before !== null) await endEventCards(ctx, tx, { serverId: before, factionId });
    await setChatServer(tx, factionId, serverId);
    await ctx.audit(tx, {
      act: serverId === null ? "faction-chat-server-cleared" : "faction-chat-server-named",
      actor: `account:${accountId}`,
      accountId,
      origin,
      details: { faction: factionId, server: serverId === null ? null : String(serverId) },
    });
    return "saved";
  });
}

/** A server that the bot was invited to a moment ago is not known yet, so the chat itself is asked. */
async function meetServer(ctx: Context, { accountId }: PortalUser, serverId: bigint): Promise<void> {
  if (await findServer(ctx.database.query, serverId)) return;
  const look = { policy: "chat-server-looks", subject: accountId, limit: looksAMinute };
  const { allowed, reset } = await ctx.limiter.take(look);
  if (!allowed) throw TooManyRequests.because({ retryAfter: reset });
  try {
    await refreshServer(ctx, serverId);
  } catch (thrown) {
    if (!isChatFailure(thrown)) throw thrown;
    if (thrown.kind === "retry")
      throw ServiceUnavailable.because({ message: "The chat does not answer. Try again in a minute.", cause: thrown });
    throw UnknownChatServer.because({ message: "Our bot is not in that chat server. Invite it first.", cause: thrown });
  }
}

/** A link that both sides agreed on, with its channel. */
export interface AgreedLink {
  readonly factionId: number;
  readonly serverId: bigint;
  readonly channelId: bigint;
  readonly roleIds: readonly bigint[];
}

/** Writes both sides of a link at once, for worlds that start with one. The server must be known. */
export async function linkBothSides(ctx: Context, { factionId, serverId, ...banking }: AgreedLink): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await setChatServer(tx, factionId, serverId);
    await insertListing(tx, serverId, factionId);
    await setBanking(tx, { serverId, factionId }, banking);
  });
}
