import { findAppState, rememberAppState, replaceAppState } from "#db/app-state";
import type { Database, Queryable } from "#db/client";
import type { Keyring } from "#server/platform/keyring";
import { startFault } from "#server/platform/start-fault";

const canaryKey = "server-secret";
const purpose = "server-secret";

/**
 * Refuses a foreign server secret. The first start seals a row that each later start must open; a
 * process with the row's secret as previous one reseals it, and of two concurrent changes one is
 * refused.
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

/**
 * Content: time of the last change, empty for the first secret. Undefined if no secret opens it.
 */
function openCanary(keyring: Keyring, canary: string): string | undefined {
  try {
    return keyring.open(purpose, canary, canaryKey);
  } catch {
    return undefined;
  }
}

/** Undefined for the first secret. */
export async function secretChangedAt(on: Queryable, keyring: Keyring): Promise<Date | undefined> {
  const canary = await findAppState(on, canaryKey);
  const since = canary === undefined ? undefined : openCanary(keyring, canary);
  return since ? new Date(since) : undefined;
}

/** As in the rows' ids. */
export async function readSecretId(on: Queryable): Promise<string | undefined> {
  return (await findAppState(on, canaryKey))?.split(".", 1)[0];
}
