import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import type { FactionPosition } from "#server/game/contract/faction";
import { gameCallError } from "#server/game/game-call-error";
import { callGame } from "#server/users/keys/call-game";
import { endAccessOfHolders } from "#server/users/membership/membership";
import { everyAbility, factionApiAbility } from "../contract";
import { positionsChanged } from "../events";
import { throwWrongFaction } from "../refresh-members";
import type { SyncCredentials } from "../sync-schedules";
import { noteSyncAttempt } from "../sync-store";
import { listHeldPositions, listPositions, savePositions } from "./store";

/**
 * Costs two calls, and a third if members hold an unlisted position.
 * @throws GameCallError; stored data stays
 */
export async function refreshPositions(
  ctx: Context,
  factionId: number,
  credentials: SyncCredentials,
): Promise<number> {
  const at = ctx.now();
  await noteSyncAttempt(ctx.database.query, factionId, { sync: "positions", at });
  // The list of positions names no faction, and the key's owner may have left this faction.
  const own = await callGame(ctx, {
    ...credentials,
    call: (game, text) => game.factionBasic(text),
  });
  if (own.factionId !== factionId) return throwWrongFaction(ctx, factionId, credentials);
  const ask = () =>
    callGame(ctx, { ...credentials, call: (game, text) => game.factionPositions(text) });
  const listed = await ask();
  const held = await listHeldPositions(ctx.database.query, factionId);
  const isWhole = held.every(({ name }) => isListed(name, listed));
  const lists = isWhole ? [listed] : [listed, await ask()];
  const reader = held.find(({ playerIds }) => playerIds.includes(credentials.key.playerId));
  if (reader && !lists.some((list) => isListed(reader.name, list)))
    throw gameCallError({
      kind: "unexpected-answer",
      detail: `faction ${factionId}: the reader's position is not listed`,
    });
  // An unreadable row may be any stored position, so all stored positions are kept.
  const unread = lists.some(({ unreadable }) => unreadable)
    ? await listPositions(ctx.database, factionId)
    : [];

  const positions = storedPositions([unread, ...lists.reverse()].flat());
  const granting = positions
    .filter(({ abilities }) => abilities.includes(factionApiAbility))
    .map(({ name }) => name);
  await ctx.database.transaction(async (tx) => {
    const rows = positions.map((position) => ({ ...position, id: ctx.ids.uuid() }));
    const changed = await savePositions(tx, factionId, { positions: rows, at });
    await endAccessOfHolders(tx, { factionId, exceptPositions: granting, at });
    if (changed)
      await recordEvents(ctx, tx, [{ type: positionsChanged, subject: factionId, factionId }]);
  });
  return positions.length;
}

const isListed = (name: string, listed: readonly FactionPosition[]): boolean =>
  always.some((position) => position.name === name) ||
  listed.some((position) => position.name === name);

/** These exist in every faction, but the game does not list them. */
const always: readonly FactionPosition[] = [
  { name: "Leader", isDefault: false, abilities: [...everyAbility] },
  { name: "Co-leader", isDefault: false, abilities: [...everyAbility] },
  { name: "Recruit", isDefault: false, abilities: [] },
];

function storedPositions(listed: readonly FactionPosition[]): FactionPosition[] {
  const byName = new Map([...listed, ...always].map((position) => [position.name, position]));
  return [...byName.values()];
}
