import { findAppState, rememberAppState, replaceAppState } from "#db/app-state";
import type { Database, Queryable } from "#db/client";
import type { Keyring } from "#server/platform/keyring";
import { startFault } from "#server/platform/start-fault";

const canaryKey = "server-secret";
const purpose = "server-secret";

/**
 * Refuses a server secret that the database was not written under. The first start seals a row, which each later one has to open; a
 * process that opens it with the previous secret seals it under the current one, and of two different changes at once one is refused.
 * @throws UnknownServerSecret
 */
export async function assertServerSecret(
  { query }: Pick<Database, "query">,
  { keyring, now }: { readonly keyring: Keyring; readonly now: () => Date },
): Promise<void> {
  const first = keyring.seal(purpose, "", canaryKey);
  for (;;) {
    const canary = await rememberAppState(query, canaryKey, first);
    if (openCanary(keyring, canary) === undefined)
      throw startFault("UnknownServerSecret", unknownSecretSentence);
    if (canary.startsWith(`${keyring.keyIds[0]}.`)) return;
    const moved = keyring.seal(purpose, now().toISOString(), canaryKey);
    if (await replaceAppState(query, canaryKey, { from: canary, to: moved })) return;
  }
}

const unknownSecretSentence =
  "SERVER_SECRET is wrong: this database was written under another one. Start with that one (embedded: the file DATA_DIR/server-secret), or give it as SERVER_SECRET_PREVIOUS to change it.";

/** What the row says: when its secret took the place of another one, empty for the first. Undefined where no secret at hand opens it. */
function openCanary(keyring: Keyring, canary: string): string | undefined {
  try {
    return keyring.open(purpose, canary, canaryKey);
  } catch {
    return undefined;
  }
}

/** When the current secret took the place of the previous one; undefined where it is the first. */
export async function secretChangedAt(on: Queryable, keyring: Keyring): Promise<Date | undefined> {
  const canary = await findAppState(on, canaryKey);
  const since = canary === undefined ? undefined : openCanary(keyring, canary);
  return since ? new Date(since) : undefined;
}

/** The id of the secret that the database is written under, as its rows carry it. */
export async function readSecretId(on: Queryable): Promise<string | undefined> {
  return (await findAppState(on, canaryKey))?.split(".", 1)[0];
}
