import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { secondFactors } from "#db/schema/accounts";
import { webhookEndpoints } from "#db/schema/webhooks";
import type { SealedColumn } from "./reseal-all";

/** Where a text is kept that is sealed for its row alone. */
interface Place extends Pick<SealedColumn, "name" | "purpose"> {
  readonly id: PgColumn;
  readonly sealed: PgColumn;
}

/** A column whose texts change their seal and nothing else. */
const sealedColumn = ({ name, purpose, id, sealed }: Place): SealedColumn => ({
  name,
  purpose,
  async list(on, { keyIds: [, ...previous], after, limit }) {
    if (previous.length === 0) return [];
    return on
      .select({ id: sql<string>`${id}`, sealed: sql<string>`${sealed}` })
      .from(sealed.table)
      .where(and(inArray(sql`split_part(${sealed}, '.', 1)`, previous), gt(id, after)))
      .orderBy(asc(id))
      .limit(limit);
  },
  async replace({ database }, row, to) {
    const stored = await database.query
      .update(sealed.table)
      // No sealed column has a name of its own in the schema: its name is the property's.
      .set({ [sealed.name]: to.sealed })
      .where(and(eq(id, row.id), eq(sealed, row.sealed)))
      .returning({ id });
    return stored.length > 0;
  },
});

/** Secrets of second factors and of webhook endpoints, of which two may sign. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedColumn({
    name: "secondFactors",
    purpose: "second-factor",
    id: secondFactors.accountId,
    sealed: secondFactors.sealed,
  }),
  ...[webhookEndpoints.secret, webhookEndpoints.previousSecret].map((sealed) =>
    sealedColumn({ name: "webhookSecrets", purpose: "webhook-secret", id: webhookEndpoints.id, sealed }),
  ),
];
