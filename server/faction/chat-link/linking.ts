import type { PortalUser } from "#server/actor";
import { refreshServer } from "#server/chat/refresh-servers";
import { isChatFailure } from "#server/chat/transport";
import type { Context } from "#server/context";
import {
  InsufficientFactionPermissions,
  ServiceUnavailable,
  TooManyRequests,
  UnknownChatServer,
  UnknownElement,
  UnknownFaction,
} from "#server/failures";
import { endEventCards } from "../chat-events/event-cards";
import { mayDecideForFaction, readMembership } from "../positions/membership";
import { administeredServer } from "./show-chat-server";
import {
  deleteListing,
  findChatLinkSides,
  findServer,
  insertListing,
  listListedFactions,
  lockNamedServer,
  setBanking,
  setChatServer,
} from "./store";

/** Lookups of unknown servers per minute and user, because each is a call to the chat. */
const looksAMinute = 5;

/**
 * Idempotent. The server must list the faction too.
 * @returns "outdated" if the named server differs from `naming.shown`
 * @throws UnknownFaction, InsufficientFactionPermissions, UnknownChatServer (our bot is not in it),
 * ServiceUnavailable, TooManyRequests
 */
export async function nameChatServer(
  ctx: Context,
  by: PortalUser,
  naming: {
    readonly serverId: bigint | null;
    readonly shown: bigint | null;
  },
): Promise<"saved" | "outdated"> {
  const { serverId, shown } = naming;
  const membership = await readMembership(ctx.database, by.playerId);
  const { factionId } = membership;
  if (factionId === null) throw UnknownFaction.because({ message: "You are not in a faction." });
  if (!mayDecideForFaction(membership))
    throw InsufficientFactionPermissions.because({
      message:
        "Only leaders, and members with faction API access, choose the faction's chat server.",
    });
  if (serverId !== null) await meetServer(ctx, by, serverId);

  return ctx.database.transaction(async (tx) => {
    const before = await lockNamedServer(tx, factionId);
    if (before === serverId) return "saved";
    if (before !== shown) return "outdated";
    if (before !== null) await endEventCards(ctx, tx, { serverId: before, factionId });
    await setChatServer(tx, factionId, serverId);
    const act = serverId === null ? "faction_chat.cleared" : "faction_chat.named";
    await ctx.audit(tx, by, act, {
      details: { faction: factionId },
      before: { server: before },
      after: { server: serverId },
    });
    return "saved";
  });
}

/** Asks the chat, because the bot may have been invited a moment ago. */
async function meetServer(
  ctx: Context,
  { accountId }: PortalUser,
  serverId: bigint,
): Promise<void> {
  if (await findServer(ctx.database.query, serverId)) return;
  const look = { policy: "chat-server-looks", subject: accountId, limit: looksAMinute };
  const { allowed, reset } = await ctx.limiter.take(look);
  if (!allowed) throw TooManyRequests.because({ retryAfter: reset });
  try {
    await refreshServer(ctx, serverId);
  } catch (thrown) {
    if (!isChatFailure(thrown)) throw thrown;
    if (thrown.kind === "retry")
      throw ServiceUnavailable.because({
        message: "The chat does not answer. Try again in a minute.",
        cause: thrown,
      });
    throw UnknownChatServer.because({
      message: "Our bot is not in that chat server. Invite it first.",
      cause: thrown,
    });
  }
}

interface Listing {
  readonly serverId: bigint;
  readonly factionId: number;
}

const mostListed = 50;

/**
 * Sets the server's side of a link; the faction must name the server too.
 * @throws UnknownChatServer, UnknownElement with the wrong field
 */
export async function listFaction(ctx: Context, by: PortalUser, { serverId, factionId }: Listing) {
  const on = ctx.database.query;
  await administeredServer(ctx, by, serverId);
  const wrong = (message: string) =>
    UnknownElement.because({ message, details: { errors: [{ field: "faction_id", message }] } });
  if (!(await findChatLinkSides(on, factionId))) throw wrong("No such faction is known here.");
  if ((await listListedFactions(on, serverId)).length >= mostListed)
    throw wrong(`A chat server lists no more than ${mostListed} factions.`);
  await ctx.database.transaction(async (tx) => {
    if (!(await insertListing(tx, serverId, factionId))) return;
    // A server that was lost and found again needs a new choice of channel.
    await endEventCards(ctx, tx, { serverId, factionId });
    const details = { server: String(serverId), faction: factionId };
    await ctx.audit(tx, by, "faction_listing.added", { details });
  });
}

/**
 * Removes the faction and its channel; the link ends at once.
 * @throws UnknownChatServer
 */
export async function unlistFaction(
  ctx: Context,
  by: PortalUser,
  { serverId, factionId }: Listing,
) {
  await administeredServer(ctx, by, serverId);
  await ctx.database.transaction(async (tx) => {
    if (!(await deleteListing(tx, serverId, factionId))) return;
    await endEventCards(ctx, tx, { serverId, factionId });
    const details = { server: String(serverId), faction: factionId };
    await ctx.audit(tx, by, "faction_listing.removed", { details });
  });
}

export interface AgreedLink {
  readonly factionId: number;
  readonly serverId: bigint;
  readonly channelId: bigint;
  readonly roleIds: readonly bigint[];
}

export async function linkBothSides(
  ctx: Context,
  { factionId, serverId, ...banking }: AgreedLink,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await setChatServer(tx, factionId, serverId);
    await insertListing(tx, serverId, factionId);
    await setBanking(tx, { serverId, factionId }, banking);
  });
}
