import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { Purpose } from "#server/platform/keyring";

export interface SealedRow {
  readonly id: string;
  readonly sealed: string;
}

export interface SealedPage {
  /** Current secret first. */
  readonly keyIds: readonly [string, ...string[]];
  /** Cursor. */
  readonly after: string;
  readonly limit: number;
}

/** A column of sealed texts, resealed after a change of the server secret. */
export interface SealedColumn {
  /** Name for the counts in the log; columns may share it. */
  readonly name: string;
  readonly purpose: Purpose;
  list(on: Queryable, page: SealedPage): Promise<readonly SealedRow[]>;
  /** @returns false if the row was changed meanwhile */
  replace(
    ctx: Context,
    row: SealedRow,
    to: { readonly sealed: string; readonly plain: string },
  ): Promise<boolean>;
}

const pageSize = 200;
const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * Reseals the columns under the current secret.
 * @returns rows by name
 */
export async function resealAll(
  ctx: Context,
  columns: readonly SealedColumn[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const column of columns)
    counts[column.name] = (counts[column.name] ?? 0) + (await resealColumn(ctx, column));
  return counts;
}

async function resealColumn(ctx: Context, column: SealedColumn): Promise<number> {
  const { keyIds } = ctx.keyring;
  let resealed = 0;
  let after = firstId;
  for (;;) {
    const rows = await column.list(ctx.database.query, { keyIds, after, limit: pageSize });
    for (const row of rows) {
      const to = sealedAnew(ctx, column, row);
      if (to && (await column.replace(ctx, row, to))) resealed++;
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
