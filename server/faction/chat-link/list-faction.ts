import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { UnknownElement } from "#server/failures";
import { endEventCards } from "../chat-events/end-event-cards";
import { administeredServer } from "./show-chat-server";
import { deleteListing, findChatLinkSides, insertListing, listListedFactions } from "./store";

export interface Listing {
  readonly serverId: bigint;
  readonly factionId: number;
  readonly origin: Origin;
}

const mostListed = 50;

/**
 * Says for a chat server that a faction belongs to it. That alone links nothing: the faction must name the server, too.
 * @throws UnknownChatServer, UnknownElement with the field that is wrong
 */
export async function listFaction(ctx: Context, user: PortalUser, { serverId, factionId, origin }: Listing) {
  const on = ctx.database.query;
  await administeredServer(ctx, user, serverId);
  const wrong = (message: string) =>
    UnknownElement.because({ message, details: { errors: [{ field: "faction_id", message }] } });
  if (!(await findChatLinkSides(on, factionId))) throw wrong("No such faction is known here.");
  if ((await listListedFactions(on, serverId)).length >= mostListed)
    throw wrong(`A chat server lists no more than ${mostListed} factions.`);
  await ctx.database.transaction(async (tx) => {
    if (!(await insertListing(tx, serverId, factionId))) return;
    // A server that was lost and found again shows nothing before somebody chooses again.
    await endEventCards(ctx, tx, { serverId, factionId });
    await record(ctx, { tx, user, act: "chat-server-faction-listed", of: { serverId, factionId, origin } });
  });
}

/**
 * Takes a faction off a chat server's list, with the channel that was chosen for it. The link is over at once.
 * @throws UnknownChatServer
 */
export async function unlistFaction(ctx: Context, user: PortalUser, { serverId, factionId, origin }: Listing) {
  await administeredServer(ctx, user, serverId);
  await ctx.database.transaction(async (tx) => {
    if (!(await deleteListing(tx, serverId, factionId))) return;
    await endEventCards(ctx, tx, { serverId, factionId });
    await record(ctx, { tx, user, act: "chat-server-faction-unlisted", of: { serverId, factionId, origin } });
  });
}

interface Done {
  readonly tx: Parameters<Context["audit"]>[0];
  readonly user: PortalUser;
  readonly act: "chat-server-faction-listed" | "chat-server-faction-unlisted";
  readonly of: Listing;
}

const record = (ctx: Context, { tx, user: { accountId }, act, of }: Done): Promise<void> =>
  ctx.audit(tx, {
    act,
    actor: `account:${accountId}`,
    accountId,
    origin: of.origin,
    details: { server: String(of.serverId), faction: of.factionId },
  });
