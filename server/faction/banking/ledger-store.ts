import { and, desc, eq, gte, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { vaultRequests } from "#db/schema/faction";
import { type PlaceInList, record } from "./store";
import type { Currency, VaultRequest } from "./vault-request";

const { id, factionId, playerId, amount, currency, status, closedAt, closedBy, verification } =
  vaultRequests;

export interface LedgerFilter {
  readonly factionId: number;
  readonly from: Date;
  readonly playerId: number | null;
  readonly unseenOnly: boolean;
}

/** All filters use the one partial index of closed requests. */
const matching = (filter: LedgerFilter) =>
  and(
    eq(factionId, filter.factionId),
    isNotNull(closedAt),
    gte(closedAt, filter.from),
    filter.playerId === null ? undefined : eq(playerId, filter.playerId),
    filter.unseenOnly ? eq(verification, "unverified") : undefined,
  );

const paid = (filter: LedgerFilter) => and(matching(filter), eq(status, "fulfilled"));

/** Newest closing first; ties by higher id. */
export function listClosed(
  on: Queryable,
  filter: LedgerFilter,
  { after, limit }: { after: PlaceInList | null; limit: number },
): Promise<VaultRequest[]> {
  const below =
    after && sql`(${closedAt}, ${id}) < (${after.at.toISOString()}::timestamptz, ${after.id})`;
  return on
    .select(record)
    .from(vaultRequests)
    .where(and(matching(filter), below ?? undefined))
    .orderBy(desc(closedAt), desc(id))
    .limit(limit);
}

const sumOf = (kind: Currency): SQL<number> =>
  sql`coalesce(sum(${amount}) filter (where ${currency} = ${kind}), 0)::text`.mapWith(Number);

const sums = {
  money: sumOf("money_balance"),
  points: sumOf("points_balance"),
  payments: sql`count(*)`.mapWith(Number),
  checked: sql`count(*) filter (where ${verification} = 'waiting')`.mapWith(Number),
  unseen: sql`count(*) filter (where ${verification} = 'unverified')`.mapWith(Number),
};

export type PaidSums = Readonly<Record<keyof typeof sums, number>>;

export async function sumByPlayer(
  on: Queryable,
  filter: LedgerFilter,
  { by, limit }: { by: "banker" | "member"; limit: number },
): Promise<(PaidSums & { readonly playerId: number })[]> {
  const player = by === "banker" ? closedBy : playerId;
  return on
    .select({ playerId: sql`${player}`.mapWith(Number), ...sums })
    .from(vaultRequests)
    .where(and(paid(filter), isNotNull(player)))
    .groupBy(player)
    .orderBy(desc(sums.payments), player)
    .limit(limit);
}

export function sumByDay(
  on: Queryable,
  filter: LedgerFilter,
): Promise<(PaidSums & { readonly day: string })[]> {
  const day = sql<string>`to_char(${closedAt} at time zone 'UTC', 'YYYY-MM-DD')`;
  return on
    .select({ day, ...sums })
    .from(vaultRequests)
    .where(paid(filter))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
}
