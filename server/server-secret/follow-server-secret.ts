import type { Context } from "#server/context";
import { sealedKeys } from "#server/users/keys/own-keys";
import { secretChangedAt } from "./canary";
import { resealAll } from "./reseal-all";
import { countOldSessions, countSealedOtherwise, sealedColumns } from "./store";

/** After a start: reseals rows of the previous secret, and logs rows that no secret opens. */
export async function followServerSecret(ctx: Context): Promise<void> {
  const resealed = await resealAll(ctx, [sealedKeys, ...sealedColumns]);
  if (Object.values(resealed).some((rows) => rows > 0))
    ctx.log.info(resealed, "stored secrets were sealed under the current server secret");
  const unreadable = await countSealedOtherwise(ctx.database.query, ctx.keyring.keyIds);
  if (Object.keys(unreadable).length > 0)
    ctx.log.warn(
      { unreadable },
      "rows were written under a server secret that this process does not have; give it as SERVER_SECRET_PREVIOUS",
    );
}

/** By kind. Empty: the previous secret can be dropped. */
export async function countNeedsOfPreviousSecret(ctx: Context): Promise<Record<string, number>> {
  const on = ctx.database.query;
  const needs = await countSealedOtherwise(on, [ctx.keyring.keyIds[0]], { all: true });
  const since = await secretChangedAt(on, ctx.keyring);
  if (!since) return needs;
  const lifetime = ctx.settings.lifetimes.session;
  const signIns = await countOldSessions(on, { since, now: ctx.now(), lifetime });
  return signIns > 0 ? { ...needs, "sign-ins": signIns } : needs;
}
