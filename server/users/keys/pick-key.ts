import type { Context } from "#server/context";
import { callsLeftOfEach } from "#server/game/budget";
import type { OpenKey } from "./open-key";
import { type KeyWish, listWorkingKeys, type SealedKey } from "./store";

/** Whose key is wanted. `lenders` are players who let their key read public data for everybody, and administrators. */
export type KeyChoice = Exclude<KeyWish, { of: "lenders" }> | { readonly of: "lenders" };

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
): Promise<OpenKey | null> {
  const wish: KeyWish =
    choice.of === "lenders"
      ? { of: "lenders", administrators: ctx.settings.adminUserIds, from: ctx.ids.uuid() }
      : choice;
  const keys = await listWorkingKeys(ctx.database.query, wish, ctx.keyring.keyIds);
  const ordered = wish.of === "player" ? keys : await byBudget(ctx, keys);
  let spentForToday: OpenKey | null = null;
  for (const sealed of ordered) {
    if (refused.has(sealed.id)) continue;
    const key = openSealedKey(ctx, sealed);
    const rest = key && ctx.game.restOf(key.reveal());
    if (!key || rest === "wholly") continue;
    if (rest === null) return key;
    spentForToday ??= key;
  }
  // It still reads all but the selection that is spent.
  return spentForToday;
}

/** Opens a stored key; null where no server secret in force opens it. The row stays as it is: the right secret opens it again. */
export function openSealedKey(ctx: Context, { id, playerId, sealed, level, lastOkAt }: SealedKey): OpenKey | null {
  try {
    const text = ctx.keyring.open("game-key", sealed, id);
    return { id, playerId, level, lastOkAt, reveal: () => text };
  } catch {
    ctx.log.error({ keyId: id }, "a stored game key cannot be opened with the server secrets in force");
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
  const ranked = keys.map((key, index) => ({ key, left: left.get(key.playerId) ?? 0, dice: dice[index] ?? 0 }));
  return ranked.sort((a, b) => b.left - a.left || a.dice - b.dice).map(({ key }) => key);
}
