import type { Context } from "#server/context";
import type { Priority } from "#server/game/budget";
import type { FactionMember } from "#server/game/contract";
import { gameError } from "#server/game/game-error";
import { askGame } from "#server/users/keys/ask-game";
import type { OpenKey } from "#server/users/keys/open-key";
import { placeMembers } from "#server/users/membership/place-members";
import { noteListingAttempt, saveListedFaction } from "./store";

/** Rights hang on membership, so a listing is not let grow older than this. */
export const listingLifetimeSeconds = 300;

/** Whether the members were never listed, or too long ago. */
export const listingIsStale = (listed: Date | null, now: Date): boolean =>
  listed === null || now.getTime() - listed.getTime() >= listingLifetimeSeconds * 1_000;

/**
 * Lists a faction and its members from the game and stores both, at the cost of two calls.
 * @throws GameError; what was stored before stays then
 * @returns how many members were listed
 */
export async function refreshFactionMembers(
  ctx: Context,
  factionId: number,
  { key, priority }: { key: OpenKey; priority: Priority },
): Promise<number> {
  // The listing counts from before the question: what is seen during it elsewhere is newer.
  const at = ctx.now();
  await noteListingAttempt(ctx.database.query, factionId, at);
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

const seenMember = ({ playerId, name, level, position, status, lastAction }: FactionMember) => ({
  playerId,
  name,
  level,
  position,
  status: status.state,
  lastAction: lastAction.at,
});
