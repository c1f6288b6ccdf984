import type { Context } from "#server/context";
import { giveUpUnreadable, type KeyToReseal, listKeysToReseal, resealKey } from "./reseal-store";

const batch = 200;
const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * Stores every key that a previous server secret sealed under the current one, so that the previous one can go. Keys that were
 * given up as lost, and that a secret in force opens after all, are back in use, and their owners are told.
 */
export async function resealKeys(ctx: Context): Promise<{ resealed: number; restored: number }> {
  const counts = { resealed: 0, restored: 0 };
  let after = firstId;
  for (;;) {
    const keys = await listKeysToReseal(ctx.database.query, { keyIds: ctx.keyring.keyIds, after, limit: batch });
    for (const key of keys)
      if (await reseal(ctx, key)) {
        if (key.wasLost) counts.restored++;
        else counts.resealed++;
      }
    const last = keys.at(-1);
    if (!last || keys.length < batch || ctx.readiness.draining()) return counts;
    after = last.id;
  }
}

/** Gives up the keys that no secret in force opens, and tells their owners to sign in with them again. @returns how many */
export async function giveUpUnreadableKeys(ctx: Context): Promise<number> {
  return ctx.database.transaction(async (tx) => {
    const owners = await giveUpUnreadable(tx, ctx.keyring.keyIds);
    const notices = owners.map(({ accountId, lastFour }) => ({
      accountId,
      kind: "game-key-lost-secret",
      text: `Your game key ending in ${lastFour} can no longer be read here. Sign in with it again.`,
    }));
    await ctx.notifyAll(tx, notices);
    return owners.length;
  });
}

async function reseal(ctx: Context, key: KeyToReseal): Promise<boolean> {
  const text = open(ctx, key);
  if (text === undefined) return false;
  const sealed = ctx.keyring.seal("game-key", text, key.id);
  const keyHmac = ctx.keyring.hmac("game-key", text).hash;
  return ctx.database.transaction(async (tx) => {
    if (!(await resealKey(tx, key, { sealed, keyHmac }))) return false;
    if (key.wasLost)
      await ctx.notify(tx, key.accountId, {
        kind: "game-key-restored",
        text: `Your game key ending in ${key.lastFour} can be read again and is back in use. There is nothing to do.`,
      });
    return true;
  });
}

function open(ctx: Context, key: KeyToReseal): string | undefined {
  try {
    return ctx.keyring.open("game-key", key.sealed, key.id);
  } catch {
    ctx.log.error({ keyId: key.id }, "a stored game key cannot be opened with the server secrets in force");
    return undefined;
  }
}
