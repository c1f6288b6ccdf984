import type { Context } from "#server/context";
import { lostKeys, sealedKeys } from "#server/users/keys/reseal-keys";
import { identities } from "./assert-secret-in-force";
import { resealAll } from "./reseal-all";
import { sealedColumns } from "./sealed-column-store";
import {
  countOldSessions,
  countUnreadable,
  keyIdsInUse,
  listSecretsInForce,
  lockSecretsInForce,
  saveSecretsInForce,
} from "./store";

/**
 * After a start: moves what is sealed under the previous server secret to the current one, takes secrets out of force that
 * nothing is kept under any more, and says in the log what no secret of this process opens.
 */
export async function followServerSecret(ctx: Context): Promise<void> {
  const resealed = await resealAll(ctx, [sealedKeys, lostKeys, ...sealedColumns]);
  if (Object.values(resealed).some((rows) => rows > 0))
    ctx.log.info(resealed, "stored secrets were sealed under the current server secret");
  await retireUnusedSecrets(ctx);
  const unreadable = await countUnreadable(ctx.database.query, ctx.keyring.keyIds);
  if (Object.keys(unreadable).length > 0)
    ctx.log.warn(
      { unreadable },
      "rows were written under a server secret that this process does not have; give it as SERVER_SECRET_PREVIOUS",
    );
}

/** Only those that came before this process's own: nothing may be written yet under one that was just put in force. */
async function retireUnusedSecrets(ctx: Context): Promise<void> {
  const own = identities(ctx.keyring).map(({ hash }) => hash);
  const older = (list: readonly { hash: string; keyId: string }[]) => {
    const place = list.findIndex(({ hash }) => hash === own[0]);
    return list.slice(0, Math.max(place, 0)).filter(({ hash }) => !own.includes(hash));
  };
  if (older(await listSecretsInForce(ctx.database.query)).length === 0) return;
  await ctx.database.transaction(async (tx) => {
    const inForce = await lockSecretsInForce(tx);
    const candidates = older(inForce);
    const used = await keyIdsInUse(
      tx,
      candidates.map(({ keyId }) => keyId),
    );
    const left = inForce.filter((each) => !candidates.includes(each) || used.includes(each.keyId));
    await saveSecretsInForce(tx, left);
  });
}

/** What still needs another server secret than the current one, in rows by kind. Empty: nothing would be lost without it. */
export async function countNeedsOfPreviousSecret(ctx: Context): Promise<Record<string, number>> {
  const on = ctx.database.query;
  const [current] = identities(ctx.keyring);
  const inForce = await listSecretsInForce(on);
  const needs = await countUnreadable(on, [ctx.keyring.keyIds[0]], { all: true });
  // The first secret of a database has nothing before it.
  const own = inForce.length > 1 ? inForce.find(({ hash }) => hash === current?.hash) : undefined;
  const lifetime = ctx.settings.lifetimes.session;
  const signIns = own ? await countOldSessions(on, { since: new Date(own.since), now: ctx.now(), lifetime }) : 0;
  return signIns > 0 ? { ...needs, "sign-ins": signIns } : needs;
}
