import type { PortalUser } from "#server/actor";
import { refreshServer } from "#server/chat/refresh-servers";
import { chatUnavailable, isChatFailure } from "#server/chat/transport";
import type { Context } from "#server/context";
import { UnknownChatServer, wrongField } from "#server/failures";
import { charge } from "#server/platform/limiter/limiter";
import { endEventCards, withdrawCards } from "../chat-events/event-cards";
import { requireMayDecide } from "../positions/membership";
import { administeredServer } from "./show-chat-server";
import {
  type Banking,
  deleteListing,
  findChatLinkSides,
  insertListing,
  isKnownServer,
  type Listing,
  listListedFactions,
  saveNamedServer,
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
  const { factionId } = await requireMayDecide(
    ctx.database,
    by.playerId,
    "choose the faction's chat server",
  );
  if (serverId !== null) await meetServer(ctx, by, serverId);

  return ctx.database.transaction(async (tx) => {
    const saved = await saveNamedServer(tx, factionId, { shown, next: serverId });
    if (saved?.outcome !== "saved") return saved?.outcome === "outdated" ? "outdated" : "saved";
    const before = saved.before.chatServerId;
    if (before !== null) await withdrawCards(ctx, tx, factionId);
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
  if (await isKnownServer(ctx.database.query, serverId)) return;
  await charge(ctx, { policy: "chat-server-looks", subject: accountId, limit: looksAMinute });
  try {
    await refreshServer(ctx, serverId);
  } catch (thrown) {
    if (!isChatFailure(thrown) || thrown.kind === "retry") throw chatUnavailable(thrown);
    throw UnknownChatServer.because({
      message: "Our bot is not in that chat server. Invite it first.",
      cause: thrown,
    });
  }
}

const mostListed = 50;

/**
 * Sets the server's side of a link; the faction must name the server too.
 * @throws UnknownChatServer, UnknownElement with the wrong field
 */
export async function listFaction(ctx: Context, by: PortalUser, { serverId, factionId }: Listing) {
  const on = ctx.database.query;
  await administeredServer(ctx, by, serverId);
  const wrong = (message: string) => wrongField("faction_id", message);
  if (!(await findChatLinkSides(on, factionId))) throw wrong("No such faction is known here.");
  if ((await listListedFactions(on, serverId)).length >= mostListed)
    throw wrong(`A chat server lists no more than ${mostListed} factions.`);
  await ctx.database.transaction(async (tx) => {
    if (!(await insertListing(tx, { serverId, factionId }))) return;
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
    if (!(await deleteListing(tx, { serverId, factionId }))) return;
    await endEventCards(ctx, tx, { serverId, factionId });
    const details = { server: String(serverId), faction: factionId };
    await ctx.audit(tx, by, "faction_listing.removed", { details });
  });
}

/** For the demo: without a user, unless the faction has a server. */
export async function linkBothSides(
  ctx: Context,
  { factionId, serverId, ...banking }: Listing & Banking,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await saveNamedServer(tx, factionId, { shown: null, next: serverId });
    await insertListing(tx, { serverId, factionId }, banking);
  });
}
