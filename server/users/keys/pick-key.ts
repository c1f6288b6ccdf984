import type { Context } from "#server/context";
import { callsLeft, callsLeftOfEach, type Priority } from "#server/game/budget";
import type { KeyInfo } from "#server/game/contract/user";
import { type KeyQuery, listWorkingKeys, rightsOf, type SealedKey } from "./store";

/** A game key, ready for use. */
export interface GameKey {
  /** The row it is stored in; null while it is not stored. */
  readonly id: string | null;
  /** The key's owner, whose budget pays for each call. */
  readonly playerId: number;
  /** 1 … 4 by what it may read; 0 for one that its owner put together; null where it is not known. */
  readonly level: number | null;
  /** Of a custom key; null where they are not known. */
  readonly selections: readonly string[] | null;
  readonly lastOkAt: Date | null;
  /** The key's text. A function, so that a log line or a JSON text of this value never holds it. */
  readonly reveal: () => string;
}

/** A key that was just typed, of which the game already said whose it is. */
export const typedKey = (text: string, playerId: number, info?: KeyInfo): GameKey => ({
  id: null,
  playerId,
  level: info?.level ?? null,
  selections: info ? rightsOf(info).selections : null,
  lastOkAt: null,
  reveal: () => text,
});

/** The players among whose keys one is picked. `lenders` are players who let their key read public data for everybody, and administrators. */
export type KeyChoice =
  | Exclude<KeyQuery, { of: "lenders" }>
  | { readonly of: "lenders"; readonly reads?: readonly string[] };

/** Whether a key may read a selection, as far as its own are known. */
export const mayRead = ({ selections }: Pick<GameKey, "selections">, selection: string): boolean =>
  selections === null || selections.includes(selection);

/**
 * Picks a working game key. A player's own keys come in a fixed order; of many players' keys the one with the most budget
 * left this minute is taken, chance deciding between equals, so that no member pays for all. A key that the game wants left alone
 * for a minute is passed over.
 * @param refused ids of keys that the game just refused for the same question
 * @returns null where there is none
 */
export async function pickKey(
  ctx: Context,
  choice: KeyChoice,
  refused: ReadonlySet<string | null> = new Set(),
): Promise<GameKey | null> {
  const keys = await listChosen(ctx, choice);
  const ordered = choice.of === "player" ? keys : await byBudget(ctx, keys);
  let spentForToday: GameKey | null = null;
  for (const sealed of ordered) {
    if (refused.has(sealed.id)) continue;
    const key = unsealKey(ctx, sealed);
    const rest = key && ctx.game.restOf(key.reveal());
    if (!key || rest === "wholly") continue;
    if (rest === null) return key;
    spentForToday ??= key;
  }
  // It still reads all but the selection that is spent.
  return spentForToday;
}

/** Picks a key for work that takes so many calls; null also where less is left of its owner's minute. */
export async function pickKeyFor(
  ctx: Context,
  choice: KeyChoice,
  work: {
    readonly priority: Priority;
    readonly calls: number;
    readonly refused?: ReadonlySet<string | null>;
  },
): Promise<GameKey | null> {
  const key = await pickKey(ctx, choice, work.refused);
  return key && (await callsLeft(ctx, key.playerId, work.priority)) >= work.calls ? key : null;
}

/** Whether there is a working key, whatever is left of its budget. */
export const hasWorkingKey = async (ctx: Context, choice: KeyChoice): Promise<boolean> =>
  (await listChosen(ctx, choice)).length > 0;

function listChosen(ctx: Context, choice: KeyChoice): Promise<SealedKey[]> {
  const query: KeyQuery =
    choice.of === "lenders"
      ? { ...choice, administrators: ctx.settings.adminUserIds, from: ctx.ids.uuid() }
      : choice;
  return listWorkingKeys(ctx.database.query, query, ctx.keyring.keyIds);
}

/** Opens a stored key; null where no server secret in force opens it. The row stays as it is: the right secret opens it again. */
export function unsealKey(
  ctx: Context,
  { id, playerId, sealed, level, selections, lastOkAt }: SealedKey,
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

async function byBudget(ctx: Context, keys: readonly SealedKey[]): Promise<SealedKey[]> {
  const left = await callsLeftOfEach(
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
