import type { Context } from "#server/context";
import type { FactionMember } from "#server/game/contract/faction";
import { gameCallError } from "#server/game/game-call-error";
import { secondMs } from "#server/platform/time";
import { callGame } from "#server/users/keys/call-game";
import { placeMembers } from "#server/users/membership/membership";
import type { SeenMember } from "#server/users/membership/store";
import { federalUntil } from "#server/users/player";
import { saveListedFaction, wasListed } from "./store";
import { type SyncCredentials, syncSchedules } from "./sync-schedules";
import { noteSync } from "./sync-store";

/** Whether the members were never listed, or too long ago. */
export const listingIsStale = (listed: Date | null, now: Date): boolean =>
  listed === null ||
  now.getTime() - listed.getTime() >= syncSchedules.members.everySeconds * secondMs;

/**
 * Lists a faction and its members from the game and stores both, at the cost of two calls.
 * @throws GameCallError; what was stored before stays then
 * @returns how many members were listed
 */
export async function refreshFactionMembers(
  ctx: Context,
  factionId: number,
  { key, priority }: SyncCredentials,
): Promise<number> {
  // The listing counts from before the question: what is seen during it elsewhere is newer.
  const at = ctx.now();
  await noteSync(ctx.database.query, factionId, { sync: "members", at });
  const basic = await callGame(ctx, {
    key,
    priority,
    call: (game, text) => game.factionBasic(text, factionId),
  });
  const members = await callGame(ctx, {
    key,
    priority,
    call: (game, text) => game.factionMembers(text, factionId),
  });
  if (basic.factionId !== factionId || (members.length === 0 && basic.members > 0))
    throw gameCallError({
      kind: "unexpected-answer",
      detail: `faction ${factionId}: listing and faction do not fit`,
    });

  const { name, tag, leaderId, coLeaderId } = basic;
  await ctx.database.transaction(async (tx) => {
    const watched = await wasListed(tx, factionId);
    await saveListedFaction(tx, { factionId, name, tag, leaderId, coLeaderId }, at);
    await placeMembers(ctx, tx, { factionId, members: members.map(memberOf), at, watched });
  });
  return members.length;
}

/** A member as the game lists them, as far as it is kept. */
export const memberOf = (member: FactionMember): SeenMember => ({
  playerId: member.playerId,
  name: member.name,
  level: member.level,
  position: member.position,
  status: member.status.state,
  federalUntil: federalUntil(member.status),
  lastAction: member.lastAction.at,
});
