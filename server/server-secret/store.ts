import {
  and,
  asc,
  count,
  eq,
  gt,
  inArray,
  isNotNull,
  lt,
  notInArray,
  type SQL,
  sql,
} from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import { backupCodes, gameKeys, secondFactors, sessions } from "#db/schema/accounts";
import {
  accessTokens,
  applicationSecrets,
  authorizationCodes,
  refreshTokens,
} from "#db/schema/oauth";
import { webhookEndpoints } from "#db/schema/webhooks";
import { secondMs } from "#server/platform/time";
import type { SealedColumn } from "./reseal-all";

/** A table with rows sealed or hashed under a server secret. */
interface SealedTable {
  readonly name: string;
  readonly table: PgTable;
  readonly keyId: SQL;
  /** Rows that hold such a value; in the others it was wiped. */
  readonly holds?: SQL;
  /** True if the rows expire by themselves and need no report. */
  readonly expires?: true;
}

const idOfSeal = (sealed: SQL) => sql`split_part(${sealed}, '.', 1)`;

const sealedTables: readonly SealedTable[] = [
  {
    name: "game keys",
    table: gameKeys,
    keyId: idOfSeal(sql`${gameKeys.sealed}`),
    holds: isNotNull(gameKeys.sealed),
  },
  { name: "second factors", table: secondFactors, keyId: idOfSeal(sql`${secondFactors.sealed}`) },
  { name: "backup codes", table: backupCodes, keyId: sql`${backupCodes.hashKeyId}` },
  {
    name: "application secrets",
    table: applicationSecrets,
    keyId: sql`${applicationSecrets.hashKeyId}`,
  },
  {
    name: "webhook secrets",
    table: webhookEndpoints,
    keyId: idOfSeal(sql`${webhookEndpoints.secret}`),
  },
  {
    name: "refresh tokens",
    table: refreshTokens,
    keyId: sql`${refreshTokens.hashKeyId}`,
    expires: true,
  },
  {
    name: "access tokens",
    table: accessTokens,
    keyId: sql`${accessTokens.hashKeyId}`,
    expires: true,
  },
  {
    name: "codes",
    table: authorizationCodes,
    keyId: sql`${authorizationCodes.hashKeyId}`,
    expires: true,
  },
];

/** How many rows no secret with one of these ids opens, by table; with `all`, also of what goes by itself. */
export async function countSealedOtherwise(
  on: Queryable,
  keyIds: readonly string[],
  { all = false } = {},
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, table, keyId, holds, expires } of sealedTables) {
    if (expires && !all) continue;
    const where = sql.join([holds ?? sql`true`, notInArray(keyId, [...keyIds])], sql` and `);
    const [row] = await on.select({ rows: count() }).from(table).where(where);
    if (row && row.rows > 0) counts[name] = row.rows;
  }
  return counts;
}

/**
 * Sign-ins that may be stored under a secret of before `since`: those that were not used afterwards. A sign-in has no id of its
 * secret, but each use moves its end to one lifetime later, and its hash to the current secret.
 * @param lifetime seconds
 */
export async function countOldSessions(
  on: Queryable,
  { since, now, lifetime }: { readonly since: Date; readonly now: Date; readonly lifetime: number },
): Promise<number> {
  const unused = lt(sessions.expiresAt, new Date(since.getTime() + lifetime * secondMs));
  const [row] = await on
    .select({ rows: count() })
    .from(sessions)
    .where(and(gt(sessions.expiresAt, now), unused));
  return row?.rows ?? 0;
}

/** A column of texts, each sealed for its row alone. */
interface SealedPlace extends Pick<SealedColumn, "name" | "purpose"> {
  readonly id: PgColumn;
  readonly sealed: PgColumn;
}

/** A column of texts of which only the seal changes. */
const sealedColumn = ({ name, purpose, id, sealed }: SealedPlace): SealedColumn => ({
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
    sealedColumn({
      name: "webhookSecrets",
      purpose: "webhook-secret",
      id: webhookEndpoints.id,
      sealed,
    }),
  ),
];
