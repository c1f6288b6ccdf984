import type { Context } from "#server/context";
import { insertListing, setBanking, setChatServer } from "./store";

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
