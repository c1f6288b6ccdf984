import type { Context } from "#server/context";
import type { CrimesWithMembers } from "#server/game/client";
import type { Crime } from "#server/game/contract/crime";
import { gameError, isGameError } from "#server/game/game-error";
import { askGame } from "#server/users/keys/ask-game";
import { placeMembers } from "#server/users/membership/place-members";
import type { Means } from "../readings";
import { refuseForeignAnswer } from "../refuse-foreign-answer";
import { seenMember } from "../seen-member";
import { noteReading } from "../store";
import { addDelays, listClosedCrimes, noteMigrated, saveCrimes } from "./board/store";
import { findDelays } from "./delays";

/**
 * Reads a faction's organized crimes and members as of one moment, at the cost of one call, and stores both, with who holds a
 * crime up.
 * @throws GameError; what was stored before stays then
 * @returns how many delays are new; none for a faction with the old kind of crimes
 */
export async function refreshCrimes(ctx: Context, factionId: number, means: Means): Promise<number> {
  const at = ctx.now();
  await noteReading(ctx.database.query, factionId, { reading: "crimes", at });
  const answer = await askForCrimes(ctx, means);
  if (!answer) {
    await noteMigrated(ctx.database.query, factionId, false);
    return 0;
  }
  const { members } = answer;
  const crimes = eachOnce(answer.crimes);
  if (answer.factionId !== factionId) return refuseForeignAnswer(ctx, factionId, means);
  // The key's owner is a member, so an empty listing is no listing.
  if (members.length === 0)
    throw gameError({ kind: "unexpected-answer", detail: `faction ${factionId}: no members besides the crimes` });

  const delays = findDelays(crimes, members, at);
  return ctx.database.transaction(async (tx) => {
    await noteMigrated(tx, factionId, true);
    await placeMembers(tx, { factionId, members: members.map(seenMember), at });
    const known = await listClosedCrimes(
      tx,
      crimes.map(({ crimeId }) => crimeId),
    );
    await saveCrimes(tx, { factionId, crimes: crimes.filter(({ crimeId }) => !known.has(crimeId)), at });
    return addDelays(tx, { factionId, delays, at });
  });
}

/** A crime, or a slot of one, that is listed twice counts once. */
function eachOnce(crimes: readonly Crime[]): Crime[] {
  const slotsOnce = (crime: Crime) => ({
    ...crime,
    slots: [...new Map(crime.slots.map((slot) => [slot.slot, slot])).values()],
  });
  return [...new Map(crimes.map((crime) => [crime.crimeId, slotsOnce(crime)])).values()];
}

/** @returns null for a faction with the old kind of crimes */
async function askForCrimes(ctx: Context, means: Means): Promise<CrimesWithMembers | null> {
  try {
    return await askGame(ctx, { ...means, call: (game, text) => game.factionCrimesWithMembers(text) });
  } catch (error) {
    if (isGameError(error) && error.kind === "not-migrated") return null;
    throw error;
  }
}
