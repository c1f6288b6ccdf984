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
import { gameKeys, proofs, secondFactors, sessions } from "#db/schema/accounts";
import {
  accessTokens,
  applicationSecrets,
  authorizationCodes,
  refreshTokens,
} from "#db/schema/oauth";
import { webhookEndpoints } from "#db/schema/webhooks";
import type { Context } from "#server/context";
import type { Purpose } from "#server/platform/keyring";
import { secondMs } from "#server/platform/time";

export interface SealedRow {
  readonly id: string;
  readonly sealed: string;
}

export interface SealedPage {
  /** Current secret first. */
  readonly keyIds: readonly [string, ...string[]];
  readonly after: string;
  readonly limit: number;
}

export interface SealedColumn {
  /** For the log; columns may share it. */
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

interface SealedTable {
  readonly name: string;
  readonly table: PgTable;
  readonly keyId: SQL;
  /** It was wiped in the others. */
  readonly holds?: SQL;
  /** Not reported. */
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
  {
    name: "backup codes",
    table: proofs,
    keyId: sql`${proofs.hashKeyId}`,
    holds: eq(proofs.kind, "backup-code"),
  },
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

/** @param all includes expiring ones */
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
 * They carry no secret id, but each use extends the expiry and rehashes.
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

interface SealedPlace extends Pick<SealedColumn, "name" | "purpose"> {
  readonly id: PgColumn;
  readonly sealed: PgColumn;
}

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
      // The property names it as the schema does.
      .set({ [sealed.name]: to.sealed })
      .where(and(eq(id, row.id), eq(sealed, row.sealed)))
      .returning({ id });
    return stored.length > 0;
  },
});

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
