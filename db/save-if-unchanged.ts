import { isDeepStrictEqual } from "node:util";
import { getTableColumns, type SQL } from "drizzle-orm";
import type { PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Queryable } from "./client";

const comparable = (value: unknown) => (Array.isArray(value) ? new Set(value) : value);

/** Optimistic edit under a row lock. @returns `same` if the row already equals `next` */
export async function saveIfUnchanged<Table extends PgTable>(
  tx: Queryable,
  table: Table,
  edit: {
    readonly key: SQL | undefined;
    readonly shown: Partial<Table["$inferSelect"]>;
    readonly next: PgUpdateSetSource<Table>;
  },
): Promise<
  | { readonly outcome: "saved" | "same" | "outdated"; readonly before: Table["$inferSelect"] }
  | undefined
> {
  const { key, shown, next } = edit;
  const [before] = (await tx
    .select(getTableColumns(table as PgTable))
    .from(table as PgTable)
    .where(key)
    .for("no key update")) as Table["$inferSelect"][];
  if (!before) return undefined;
  const agrees = (with_: Readonly<Record<string, unknown>>) =>
    Object.keys(shown).every((name) =>
      isDeepStrictEqual(comparable(Reflect.get(before, name)), comparable(with_[name])),
    );
  if (agrees(next)) return { outcome: "same", before };
  if (!agrees(shown)) return { outcome: "outdated", before };
  await tx.update(table).set(next).where(key);
  return { outcome: "saved", before };
}
