import { and, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import { secondMs } from "#server/platform/time";

export interface WorkTable<Row = unknown> {
  readonly table: PgTable & {
    readonly $inferSelect: Row;
    /** Fencing token: each claim increments it, and only the latest claim may write results. */
    readonly lease: PgColumn;
    /** On the database's clock. */
    readonly leaseUntil: PgColumn;
  };
  readonly id: PgColumn;
}

export interface Claim {
  readonly id: string | number;
  readonly lease: number;
}

type Changes<Row> = { readonly [Column in keyof Row]?: Row[Column] | SQL };

export const leaseMs = 5 * secondMs;

const inFuture = (milliseconds: number): SQL =>
  sql`statement_timestamp() + ${milliseconds} * interval '1 ms'`;

/** A lease end too far in the future counts as expired, because the clock was set back. */
export const isLeased = (leaseUntil: SQLWrapper): SQL =>
  sql`coalesce(${leaseUntil} > statement_timestamp() and ${leaseUntil} <= ${inFuture(2 * leaseMs)}, false)`;

/**
 * Skips leased rows.
 * @param chosen a query for row ids with `for update skip locked`
 * @param set further columns that a claim changes
 */
export const claimRows = async <Row>(
  on: Queryable,
  { table, id }: WorkTable<Row>,
  chosen: SQL,
  set: Changes<Row> = {},
): Promise<Row[]> =>
  (await on
    .update(table)
    .set({ ...set, lease: sql`${table.lease} + 1`, leaseUntil: inFuture(leaseMs) })
    .where(and(sql`${id} = any(array(${chosen}))`, not(isLeased(table.leaseUntil))))
    .returning()) as Row[];

/** Locks in id order, so that an extension and a save of the same rows cannot deadlock. */
const lockedClaims = (on: Queryable, work: WorkTable, claims: readonly Claim[]) => {
  const { table, id } = work;
  const type = sql.raw(id.getSQLType() === "bigserial" ? "bigint" : id.getSQLType());
  const held = JSON.stringify(claims.map((claim) => ({ id: claim.id, lease: claim.lease })));
  const isOwn = sql`(${id}, ${table.lease}) in (select claim.id, claim.lease
    from json_to_recordset(${held}::json) as claim (id ${type}, lease int))`;
  return on.select({ id }).from(table).where(isOwn).orderBy(id).for("update");
};

const idsOf = (rows: readonly { readonly id: unknown }[]): ReadonlySet<Claim["id"]> =>
  new Set(rows.map(({ id }) => id as Claim["id"]));

/**
 * Fencing: locks the claims until the transaction ends.
 * @returns ids of claims that are still the caller's
 */
export const lockClaims = async (
  tx: Queryable,
  work: WorkTable,
  claims: readonly Claim[],
): Promise<ReadonlySet<Claim["id"]>> => idsOf(await lockedClaims(tx, work, claims));

async function changeClaimed<Row>(
  on: Queryable,
  work: WorkTable<Row>,
  claims: readonly Claim[],
  set: object,
): Promise<ReadonlySet<Claim["id"]>> {
  if (claims.length === 0) return new Set();
  const rows = await on
    .update(work.table)
    .set(set)
    .where(sql`${work.id} = any(array(${lockedClaims(on, work, claims)}))`)
    .returning({ id: work.id });
  return idsOf(rows);
}

export const extendClaims = (on: Queryable, work: WorkTable, claims: readonly Claim[]) =>
  changeClaimed(on, work, claims, { leaseUntil: inFuture(leaseMs) });

/** Saves results and ends the leases; the new lease number makes a late extension fail. */
export const finishClaims = <Row>(
  on: Queryable,
  work: WorkTable<Row>,
  claims: readonly Claim[],
  set: Changes<Row> = {},
) =>
  changeClaimed(on, work, claims, {
    ...set,
    lease: sql`${work.table.lease} + 1`,
    leaseUntil: null,
  });
