import type { Context } from "#server/context";
import type { SealedColumn } from "#server/server-secret/reseal-all";
import { giveUpUnreadable, listKeysToReseal, listLostKeys, resealKey } from "./reseal-store";

/** Game keys. Their HMACs are made anew with their seals. */
export const sealedKeys: SealedColumn = {
  name: "gameKeys",
  purpose: "game-key",
  list: listKeysToReseal,
  replace: async (ctx, row, { sealed, plain }) => {
    const to = { sealed, keyHmac: ctx.keyring.hmac("game-key", plain).hash };
    return (await resealKey(ctx.database.query, row, to)) !== undefined;
  },
};

/** Keys that were given up as lost, and that a secret in force opens after all: back in use, and their owners are told. */
export const lostKeys: SealedColumn = {
  name: "restored",
  purpose: "game-key",
  list: listLostKeys,
  replace: (ctx, row, { sealed, plain }) =>
    ctx.database.transaction(async (tx) => {
      const keyHmac = ctx.keyring.hmac("game-key", plain).hash;
      const key = await resealKey(tx, row, { sealed, keyHmac, restored: true });
      if (!key) return false;
      await ctx.notify(tx, key.accountId, {
        kind: "game-key-restored",
        text: `Your game key ending in ${key.lastFour} can be read again and is back in use. There is nothing to do.`,
      });
      return true;
    }),
};

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
