import type { Context } from "#server/context";
import { identities } from "./assert-secret-in-force";
import { countOldSessions, countUnreadable, listSecretsInForce } from "./store";

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
