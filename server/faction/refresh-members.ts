import type { Context } from "#server/context";
import { gameError } from "#server/game/game-error";
import { askGame } from "#server/users/keys/ask-game";
import { placeMembers } from "#server/users/membership/place-members";
import { type Means, readings } from "./readings";
import { seenMember } from "./seen-member";
import { noteReading, saveListedFaction } from "./store";

/** Whether the members were never listed, or too long ago. */
export const listingIsStale = (listed: Date | null, now: Date): boolean =>
  listed === null || now.getTime() - listed.getTime() >= readings.members.everySeconds * 1_000;

/**
 * Lists a faction and its members from the game and stores both, at the cost of two calls.
 * @throws GameError; what was stored before stays then
 * @returns how many members were listed
 */
export async function refreshFactionMembers(
  ctx: Context,
  factionId: number,
  { key, priority }: Means,
): Promise<number> {
  // The listing counts from before the question: what is seen during it elsewhere is newer.
  const at = ctx.now();
  await noteReading(ctx.database.query, factionId, { reading: "members", at });
  const basic = await askGame(ctx, { key, priority, call: (game, text) => game.factionBasic(text, factionId) });
  const members = await askGame(ctx, { key, priority, call: (game, text) => game.factionMembers(text, factionId) });
  if (basic.factionId !== factionId || (members.length === 0 && basic.members > 0))
    throw gameError({ kind: "unexpected-answer", detail: `faction ${factionId}: listing and faction do not fit` });

  const { name, tag, leaderId, coLeaderId } = basic;
  await ctx.database.transaction(async (tx) => {
    await saveListedFaction(tx, { factionId, name, tag, leaderId, coLeaderId }, at);
    await placeMembers(tx, { factionId, members: members.map(seenMember), at });
  });
  return members.length;
}
