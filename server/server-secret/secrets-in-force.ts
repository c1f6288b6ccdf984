import type { Database, Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { Keyring } from "#server/platform/keyring";
import { startFault } from "#server/platform/start-fault";
import { lostKeys, sealedKeys } from "#server/users/keys/reseal-keys";
import { resealAll } from "./reseal-all";
import {
  countOldSessions,
  countSealedOtherwise,
  isAnythingKept,
  keyIdsInUse,
  listSecretsInForce,
  lockSecretsInForce,
  type SecretInForce,
  saveSecretsInForce,
  sealedColumns,
} from "./store";

/** The hashes by which the database knows a keyring's secrets, the current one first. */
const identities = (keyring: Keyring) => keyring.hmacs("server-secret", "adjutant");

/** The hashes of the secrets in force, in the order in which they came. */
export const readSecretHashes = async (on: Queryable): Promise<string[]> =>
  (await listSecretsInForce(on)).map(({ hash }) => hash);

const includes = (list: readonly SecretInForce[], one: { hash: string }) =>
  list.some(({ hash }) => hash === one.hash);

/**
 * Lets a process go on whose server secrets the database knows, and puts its current secret in force. In a new database the
 * first process decides. A database of a release that stored no hash of its secret is asked for rows made under one of the secrets.
 * @throws UnknownServerSecret
 */
export async function assertSecretInForce(
  database: Database,
  deps: { readonly keyring: Keyring; readonly now: () => Date },
): Promise<void> {
  const own = identities(deps.keyring);
  const [current] = own;
  if (!current || includes(await listSecretsInForce(database.query), current)) return;
  await database.transaction(async (tx) => {
    const inForce = await lockSecretsInForce(tx);
    // Rows tell of the secrets of a release that stored no hash of its secret; later the hashes alone decide.
    const used = inForce.length > 0 ? [] : await keyIdsInUse(tx, deps.keyring.keyIds);
    const isKnown =
      inForce.length > 0
        ? own.some((each) => includes(inForce, each))
        : used.length > 0 || !(await isAnythingKept(tx));
    if (!isKnown) throw startFault("UnknownServerSecret", unknownSecretSentence);
    const since = deps.now().toISOString();
    const added = own
      .filter((each) => (each === current || used.includes(each.keyId)) && !includes(inForce, each))
      .map(({ hash, keyId }) => ({ hash, keyId, since }));
    // The current one stands last: it is the newest.
    await saveSecretsInForce(tx, [...inForce, ...added.reverse()]);
  });
}

/**
 * Puts the secrets at hand in force in place of all others, because an operator says that the others are lost. Nothing is
 * deleted: a secret that is found again, given as the previous one, opens what it sealed.
 */
export async function declareOthersLost(
  database: Database,
  deps: { readonly keyring: Keyring; readonly now: () => Date },
): Promise<void> {
  const since = deps.now().toISOString();
  await database.transaction(async (tx) => {
    await lockSecretsInForce(tx);
    const own = identities(deps.keyring).map(({ hash, keyId }) => ({ hash, keyId, since }));
    await saveSecretsInForce(tx, own.reverse());
  });
}

const unknownSecretSentence =
  "SERVER_SECRET is wrong: this database was written under another one. Start with that one (embedded: the file " +
  "DATA_DIR/server-secret), or give it as SERVER_SECRET_PREVIOUS to change it; if it is lost for good, run: npm run secret:lost";

/**
 * After a start: moves what is sealed under the previous server secret to the current one, takes secrets out of force that
 * nothing is kept under any more, and says in the log what no secret of this process opens.
 */
export async function followServerSecret(ctx: Context): Promise<void> {
  const resealed = await resealAll(ctx, [sealedKeys, lostKeys, ...sealedColumns]);
  if (Object.values(resealed).some((rows) => rows > 0))
    ctx.log.info(resealed, "stored secrets were sealed under the current server secret");
  await retireUnusedSecrets(ctx);
  const unreadable = await countSealedOtherwise(ctx.database.query, ctx.keyring.keyIds);
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

/** Rows that still need another server secret than the current one, by kind. Empty: nothing would be lost without it. */
export async function countNeedsOfPreviousSecret(ctx: Context): Promise<Record<string, number>> {
  const on = ctx.database.query;
  const [current] = identities(ctx.keyring);
  const inForce = await listSecretsInForce(on);
  const needs = await countSealedOtherwise(on, [ctx.keyring.keyIds[0]], { all: true });
  // The first secret of a database has nothing before it.
  const own = inForce.length > 1 ? inForce.find(({ hash }) => hash === current?.hash) : undefined;
  const lifetime = ctx.settings.lifetimes.session;
  const signIns = own
    ? await countOldSessions(on, { since: new Date(own.since), now: ctx.now(), lifetime })
    : 0;
  return signIns > 0 ? { ...needs, "sign-ins": signIns } : needs;
}
