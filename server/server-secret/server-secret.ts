import { compareAndSetAppState, ensureAppState, findAppState } from "#db/app-state";
import type { Database, Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { Keyring } from "#server/platform/keyring";
import { startFault } from "#server/platform/start-fault";
import {
  countOldSessions,
  countSealedOtherwise,
  listOldSeals,
  replaceSeal,
  type SealedColumn,
  type SealedRow,
  sealedColumns,
} from "./store";

const canaryKey = "server-secret";
const purpose = "server-secret";

/**
 * The first start seals a row that each later start must open. A row sealed under the previous
 * secret is resealed.
 * @throws UnknownServerSecret
 */
export async function assertKnownServerSecret(
  { query }: Pick<Database, "query">,
  { keyring, now }: { readonly keyring: Keyring; readonly now: () => Date },
): Promise<void> {
  const first = keyring.seal(purpose, "", canaryKey);
  for (;;) {
    const canary = await ensureAppState(query, canaryKey, first);
    if (openCanary(keyring, canary) === undefined)
      throw startFault("UnknownServerSecret", unknownSecretSentence);
    if (canary.startsWith(`${keyring.keyIds[0]}.`)) return;
    const moved = keyring.seal(purpose, now().toISOString(), canaryKey);
    if (await compareAndSetAppState(query, canaryKey, { from: canary, to: moved })) return;
  }
}

const unknownSecretSentence =
  "SERVER_SECRET is wrong: this database was written under another one. Start with that one (embedded: the file DATA_DIR/server-secret), or give it as SERVER_SECRET_PREVIOUS to change it.";

/**
 * @returns time of the last change, "" for the first secret; undefined if no secret opens the row
 */
function openCanary(keyring: Keyring, canary: string): string | undefined {
  try {
    return keyring.open(purpose, canary, canaryKey);
  } catch {
    return undefined;
  }
}

/** Undefined for the first secret. */
async function secretChangedAt(on: Queryable, keyring: Keyring): Promise<Date | undefined> {
  const canary = await findAppState(on, canaryKey);
  const since = canary === undefined ? undefined : openCanary(keyring, canary);
  return since ? new Date(since) : undefined;
}

export async function readSecretId(on: Queryable): Promise<string | undefined> {
  return (await findAppState(on, canaryKey))?.split(".", 1)[0];
}

export async function resealStoredSecrets(ctx: Context): Promise<void> {
  const resealed: Record<string, number> = {};
  for (const column of sealedColumns)
    resealed[column.name] = (resealed[column.name] ?? 0) + (await resealColumn(ctx, column));
  if (Object.values(resealed).some((rows) => rows > 0))
    ctx.log.info(resealed, "stored secrets were sealed under the current server secret");
  const unreadable = await countSealedOtherwise(ctx.database.query, ctx.keyring.keyIds);
  if (Object.keys(unreadable).length > 0)
    ctx.log.warn(
      { unreadable },
      "rows were written under a server secret that this process does not have; give it as SERVER_SECRET_PREVIOUS",
    );
}

/** If the result is empty, the previous secret can be dropped. */
export async function countNeedsOfPreviousSecret(ctx: Context): Promise<Record<string, number>> {
  const on = ctx.database.query;
  const needs = await countSealedOtherwise(on, [ctx.keyring.keyIds[0]], { all: true });
  const since = await secretChangedAt(on, ctx.keyring);
  if (!since) return needs;
  const lifetime = ctx.settings.lifetimes.session;
  const signIns = await countOldSessions(on, { since, now: ctx.now(), lifetime });
  return signIns > 0 ? { ...needs, "sign-ins": signIns } : needs;
}

const pageSize = 200;
const firstId = "00000000-0000-0000-0000-000000000000";

async function resealColumn(ctx: Context, column: SealedColumn): Promise<number> {
  const { keyIds } = ctx.keyring;
  let resealed = 0;
  let after = firstId;
  for (;;) {
    const rows = await listOldSeals(ctx.database.query, column, {
      keyIds,
      after,
      limit: pageSize,
    });
    for (const row of rows) {
      const to = sealedAnew(ctx, column, row);
      if (to && (await replaceSeal(ctx, column, row, to))) resealed++;
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageSize || ctx.presence.draining()) return resealed;
    after = last.id;
  }
}

function sealedAnew(
  { keyring, log }: Context,
  { name, purpose }: SealedColumn,
  { id, sealed }: SealedRow,
) {
  try {
    const plain = keyring.open(purpose, sealed, id);
    return { plain, sealed: keyring.seal(purpose, plain, id) };
  } catch {
    log.error(
      { column: name, id },
      "a stored secret cannot be opened with the server secrets in force",
    );
    return undefined;
  }
}
