import type { Database, Queryable } from "#db/client";
import type { Keyring } from "#server/platform/crypto/keyring";
import { startFault } from "#server/platform/start-fault";
import {
  isAnythingKept,
  keyIdsInUse,
  listSecretsInForce,
  lockSecretsInForce,
  type SecretInForce,
  saveSecretsInForce,
} from "./store";

/** What a keyring's secrets are known by in the database, the current one first. */
export const identities = (keyring: Keyring) => keyring.hmacs("server-secret", "adjutant");

/** The hashes of the secrets in force, in the order in which they came. */
export const readSecretHashes = async (on: Queryable): Promise<string[]> =>
  (await listSecretsInForce(on)).map(({ hash }) => hash);

const includes = (list: readonly SecretInForce[], one: { hash: string }) => list.some(({ hash }) => hash === one.hash);

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
      inForce.length > 0 ? own.some((each) => includes(inForce, each)) : used.length > 0 || !(await isAnythingKept(tx));
    if (!isKnown) throw startFault("UnknownServerSecret", refusal);
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

const refusal =
  "SERVER_SECRET is wrong: this database was written under another one. Start with that one (embedded: the file " +
  "DATA_DIR/server-secret), or give it as SERVER_SECRET_PREVIOUS to change it; if it is lost for good, run: npm run secret:lost";
