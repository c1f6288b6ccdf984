import { and, asc, eq, gt, inArray, isNotNull, lt, notInArray, type SQL, sql } from "drizzle-orm";
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
import { hasRows } from "#db/select";
import type { Context } from "#server/context";
import type { Keyring, Purpose } from "#server/platform/keyring";
import { secondMs } from "#server/platform/time";

interface SealedTable {
  readonly name: string;
  readonly table: PgTable;
  readonly keyId: SQL;
  /** Rows that do not match hold no such secret. */
  readonly holds?: SQL;
  /** Reported only on request, because the rows expire. */
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

/** @param all counts expiring rows too */
export async function countSealedOtherwise(
  on: Queryable,
  keyIds: readonly string[],
  { all = false } = {},
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, table, keyId, holds, expires } of sealedTables) {
    if (expires && !all) continue;
    const where = sql.join([holds ?? sql`true`, notInArray(keyId, [...keyIds])], sql` and `);
    const rows = await on.$count(table, where);
    if (rows > 0) counts[name] = rows;
  }
  return counts;
}

/** A session used since then expires later and has a new hash. @param lifetime seconds */
export function countOldSessions(
  on: Queryable,
  { since, now, lifetime }: { readonly since: Date; readonly now: Date; readonly lifetime: number },
): Promise<number> {
  const unused = lt(sessions.expiresAt, new Date(since.getTime() + lifetime * secondMs));
  return on.$count(sessions, and(gt(sessions.expiresAt, now), unused));
}

export interface SealedColumn {
  /** Name in the log, which columns may share. */
  readonly name: string;
  readonly purpose: Purpose;
  readonly id: PgColumn;
  readonly sealed: PgColumn;
  /** Columns that are written with the sealed one. */
  readonly beside?: (keyring: Keyring, plain: string) => Readonly<Record<string, SQL>>;
}

export const sealedColumns: readonly SealedColumn[] = [
  {
    name: "gameKeys",
    purpose: "game-key",
    id: gameKeys.id,
    sealed: gameKeys.sealed,
    beside: (keyring, plain) => ({ keyHmac: unlessTaken(keyring.hmac("game-key", plain).hash) }),
  },
  {
    name: "secondFactors",
    purpose: "second-factor",
    id: secondFactors.accountId,
    sealed: secondFactors.sealed,
  },
  ...[webhookEndpoints.secret, webhookEndpoints.previousSecret].map((sealed) => ({
    name: "webhookSecrets",
    purpose: "webhook-secret" as const,
    id: webhookEndpoints.id,
    sealed,
  })),
];

/** If the owner has signed in with the same key since, another row has the new HMAC. */
const unlessTaken = (keyHmac: string): SQL =>
  sql`case when exists (select from ${gameKeys} as other where other.key_hmac = ${keyHmac})
    then ${gameKeys.keyHmac} else ${keyHmac} end`;

export interface SealedRow {
  readonly id: string;
  readonly sealed: string;
}

/** @param page.keyIds current secret first */
export async function listOldSeals(
  on: Queryable,
  { id, sealed }: SealedColumn,
  page: {
    readonly keyIds: readonly [string, ...string[]];
    readonly after: string;
    readonly limit: number;
  },
): Promise<SealedRow[]> {
  const [, ...previous] = page.keyIds;
  if (previous.length === 0) return [];
  return on
    .select({ id: sql<string>`${id}`, sealed: sql<string>`${sealed}` })
    .from(sealed.table)
    .where(and(inArray(idOfSeal(sql`${sealed}`), previous), gt(id, page.after)))
    .orderBy(asc(id))
    .limit(page.limit);
}

/** @returns false if the row was changed meanwhile */
export const replaceSeal = (
  { database, keyring }: Pick<Context, "database" | "keyring">,
  { id, sealed, beside }: SealedColumn,
  row: SealedRow,
  to: { readonly sealed: string; readonly plain: string },
): Promise<boolean> =>
  hasRows(
    database.query
      .update(sealed.table)
      // A column's `name` is its property in the schema.
      .set({ [sealed.name]: to.sealed, ...beside?.(keyring, to.plain) })
      .where(and(eq(id, row.id), eq(sealed, row.sealed)))
      .returning({ id }),
  );
