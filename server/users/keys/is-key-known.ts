import type { Context } from "#server/context";
import { isKeyStored } from "./store";

/** Whether this very key is stored, in whatever state. */
export function isKeyKnown(ctx: Context, key: string): Promise<boolean> {
  const prints = ctx.keyring.fingerprints("game-key", key).map(({ hash }) => hash);
  return isKeyStored(ctx.database.query, prints);
}
