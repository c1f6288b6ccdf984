import type { Context } from "#server/context";
import { askGame } from "#server/users/keys/ask-game";
import { endAccessOfHolders } from "#server/users/membership/end-access-of-holders";
import type { Means } from "../readings";
import { refuseForeignAnswer } from "../refuse-foreign-answer";
import { noteReading } from "../store";
import { factionApiAbility } from "./abilities";
import { savePositions } from "./store";
import { storedPositions } from "./stored-positions";

/**
 * Reads the positions of a faction with a key that has faction API access, at the cost of two calls. A position that vanished is
 * removed; who holds it keeps no right of it.
 * @throws GameError; what was stored before stays then
 * @returns how many positions are stored now
 */
export async function refreshPositions(ctx: Context, factionId: number, means: Means): Promise<number> {
  const at = ctx.now();
  await noteReading(ctx.database.query, factionId, { reading: "positions", at });
  // The list does not say whose it is, and the key's owner may have changed faction since.
  const own = await askGame(ctx, { ...means, call: (game, text) => game.factionBasic(text) });
  if (own.factionId !== factionId) return refuseForeignAnswer(ctx, factionId, means);
  const listed = await askGame(ctx, { ...means, call: (game, text) => game.factionPositions(text) });

  const positions = storedPositions(listed);
  const granting = positions.filter(({ abilities }) => abilities.includes(factionApiAbility)).map(({ name }) => name);
  await ctx.database.transaction(async (tx) => {
    const rows = positions.map((position) => ({ ...position, id: ctx.ids.uuid() }));
    await savePositions(tx, { factionId, positions: rows, at });
    await endAccessOfHolders(tx, { factionId, exceptPositions: granting, at });
  });
  return positions.length;
}
