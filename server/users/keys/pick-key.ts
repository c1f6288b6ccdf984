import type { Context } from "#server/context";
import { type Priority, readCallsLeft, readCallsLeftByPlayer } from "#server/game/budget";
import type { KeyInfo } from "#server/game/contract/user";
import { battleStatsSelection } from "#server/game/selections";
import { type KeyQuery, listWorkingKeys, rightsOf, type SealedKeyRow } from "./store";

export interface GameKey {
  readonly id: string | null;
  readonly playerId: number;
  /** 1 … 4 by access; 0 for a custom key; null if unknown. */
  readonly level: number | null;
  readonly selections: readonly string[] | null;
  readonly lastOkAt: Date | null;
  /** A function, so that logs and JSON never contain the key. */
  readonly reveal: () => string;
}

export const gameKeyOfText = (text: string, playerId: number, info?: KeyInfo): GameKey => ({
  id: null,
  playerId,
  level: info?.level ?? null,
  selections: info ? rightsOf(info).selections : null,
  lastOkAt: null,
  reveal: () => text,
});

export const mayRead = ({ selections }: Pick<GameKey, "selections">, selection: string): boolean =>
  selections === null || selections.includes(selection);

/**
 * A player's own keys have a fixed order. Among several players the key with the most budget left
 * wins, ties at random, to share the load.
 * @param limits.refused ids of keys that were refused for the same call
 * @param limits.work calls that must be left in the owner's minute; with fewer the result is null
 */
export async function pickKey(
  ctx: Context,
  choice: KeyQuery,
  limits: {
    readonly refused?: ReadonlySet<string | null>;
    readonly work?: { readonly priority: Priority; readonly calls: number } | undefined;
  } = {},
): Promise<GameKey | null> {
  const keys = await listChosen(ctx, choice);
  const ordered = choice.of === "player" ? keys : await byBudget(ctx, keys);
  const key = firstRested(ctx, ordered, limits.refused);
  const { work } = limits;
  if (!key || !work) return key;
  return (await readCallsLeft(ctx, key.playerId, work.priority)) >= work.calls ? key : null;
}

function firstRested(
  ctx: Context,
  ordered: readonly SealedKeyRow[],
  refused: ReadonlySet<string | null> = new Set(),
): GameKey | null {
  let spentForToday: GameKey | null = null;
  for (const sealed of ordered) {
    if (refused.has(sealed.id)) continue;
    const key = unsealKey(ctx, sealed);
    const rest = key && ctx.game.restOf(key.reveal());
    if (!key || rest === "wholly") continue;
    if (rest === null) return key;
    spentForToday ??= key;
  }
  return spentForToday;
}

export const hasWorkingKey = async (ctx: Context, choice: KeyQuery): Promise<boolean> =>
  (await listChosen(ctx, choice)).length > 0;

const listChosen = ({ database, keyring, settings, ids }: Context, choice: KeyQuery) =>
  listWorkingKeys(database.query, choice, {
    keyIds: keyring.keyIds,
    preferred: choice.prefers ?? battleStatsSelection,
    administrators: settings.adminUserIds,
    from: ids.uuid(),
  });

/**
 * Null if no server secret in force opens the key. Its row stays, because the right secret may
 * return.
 */
export function unsealKey(
  ctx: Context,
  { id, playerId, sealed, level, selections, lastOkAt }: SealedKeyRow,
): GameKey | null {
  try {
    const text = ctx.keyring.open("game-key", sealed, id);
    return { id, playerId, level, selections, lastOkAt, reveal: () => text };
  } catch {
    ctx.log.error(
      { keyId: id },
      "a stored game key cannot be opened with the server secrets in force",
    );
    return null;
  }
}

async function byBudget(ctx: Context, keys: readonly SealedKeyRow[]): Promise<SealedKeyRow[]> {
  const left = await readCallsLeftByPlayer(
    ctx,
    keys.map(({ playerId }) => playerId),
    "user",
  );
  const dice = ctx.ids.bytes(keys.length);
  const ranked = keys.map((key, index) => ({
    key,
    left: left.get(key.playerId) ?? 0,
    dice: dice[index] ?? 0,
  }));
  return ranked.sort((a, b) => b.left - a.left || a.dice - b.dice).map(({ key }) => key);
}
