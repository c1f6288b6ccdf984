import { and, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import { secondMs } from "#server/platform/time";

/** Each row is done by the process with its last claim. */
export interface WorkTable<Row = unknown> {
  readonly table: PgTable & { readonly $inferSelect: Row };
  readonly id: PgColumn;
  /** Fencing token: each claim increments it, and only its holder may write results. */
  readonly lease: PgColumn;
  readonly leaseUntil: PgColumn;
}

export interface Claim {
  readonly id: string | number;
  readonly lease: number;
}

/** Shared by all processes. */
export const databaseNow = sql`statement_timestamp()`;

const after = (at: SQL, milliseconds: number) => sql`${at} + ${milliseconds} * interval '1 ms'`;

/** A later lease was written by a clock that has been set back, and does not count. */
const longestLeaseMs = 10 * secondMs;

/** True if the claiming process may still be alive. */
export const isLeased = (leaseUntil: SQLWrapper, at: SQL): SQL =>
  sql`coalesce(${leaseUntil} > ${at} and ${leaseUntil} <= ${after(at, longestLeaseMs)}, false)`;

/**
 * Skips claimed rows.
 * @param chosen a query for their ids with `for update skip locked`
 */
export const claimRows = async <Row>(
  on: Queryable,
  { table, id, lease, leaseUntil }: WorkTable<Row>,
  { chosen, at, leaseMs }: { readonly chosen: SQL; readonly at: SQL; readonly leaseMs: number },
): Promise<Row[]> =>
  (await on
    .update(table)
    .set({ lease: sql`${lease} + 1`, leaseUntil: after(at, leaseMs) })
    .where(and(sql`${id} = any(array(${chosen}))`, not(isLeased(leaseUntil, at))))
    .returning()) as Row[];

/** A late extension then finds another lease. */
export const givenBack = ({ lease }: WorkTable) => ({ lease: sql`${lease} + 1`, leaseUntil: null });

export const stillClaimed = ({ id, lease }: WorkTable, claims: readonly Claim[]): SQL => {
  const type = sql.raw(id.getSQLType() === "bigserial" ? "bigint" : id.getSQLType());
  const held = JSON.stringify(claims.map((claim) => ({ id: claim.id, lease: claim.lease })));
  return sql`(${id}, ${lease}) in (select claim.id, claim.lease
    from json_to_recordset(${held}::json) as claim (id ${type}, lease int))`;
};

/** @returns ids of claims that are still the caller's */
export async function extendClaims(
  on: Queryable,
  work: WorkTable,
  { claims, at, leaseMs }: { readonly claims: readonly Claim[]; at: SQL; leaseMs: number },
): Promise<ReadonlySet<Claim["id"]>> {
  if (claims.length === 0) return new Set();
  const rows = await on
    .update(work.table)
    .set({ leaseUntil: after(at, leaseMs) })
    .where(stillClaimed(work, claims))
    .returning({ id: work.id });
  return new Set(rows.map(({ id }) => id as Claim["id"]));
}
