import type { SealedColumn } from "#server/server-secret/store";
import { listKeysToReseal, resealKey } from "./reseal-store";

export const sealedKeys: SealedColumn = {
  name: "gameKeys",
  purpose: "game-key",
  list: listKeysToReseal,
  replace: async (ctx, row, { sealed, plain }) => {
    const to = { sealed, keyHmac: ctx.keyring.hmac("game-key", plain).hash };
    return resealKey(ctx.database.query, row, to);
  },
};
