import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import { accounts, chatIdentities } from "#db/schema/accounts";
import { vaultReadings, vaultRequests } from "#db/schema/faction";
import { players } from "#db/schema/players";
import { first, hasRows } from "#db/select";
import type { NamedPlayer } from "#server/users/player";
import { effectiveChatId } from "../chat-link/store";
import type { RequestIdentifier } from "./contract";
import type { Currency, VaultRequest } from "./vault-request";

const { newsId: _, ...record } = getTableColumns(vaultRequests);

const { id, factionId, playerId, amount, currency, status, requestedAt, expiresAt } = vaultRequests;
const { closedAt, closedBy, verification, newsId, claimedBy, claimedUntil } = vaultRequests;

/** An expired request is not pending, even before the job closes it. */
const pendingAt = (now: Date) =>
  and(eq(status, "pending"), or(isNull(expiresAt), gt(expiresAt, now)));

const named = (request: RequestIdentifier): SQL =>
  "id" in request ? eq(vaultRequests.id, request.id) : eq(vaultRequests.guid, request.guid);

export interface VaultMember {
  readonly factionId: number;
  readonly playerId: number;
}

interface VaultAccount extends VaultMember {
  readonly currency: Currency;
}

export async function lockBalance(tx: Queryable, of: VaultAccount): Promise<void> {
  const lock = `vault ${of.factionId} ${of.playerId} ${of.currency}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
}

/** Sums pending requests and later payments, which a balance read at `readAt` may not include. */
export async function sumReserved(
  tx: Queryable,
  of: VaultAccount,
  { now, readAt }: { now: Date; readAt: Date },
) {
  const paidSince = and(eq(status, "fulfilled"), gte(closedAt, readAt));
  const [row] = await tx
    .select({ sum: sql<string>`coalesce(sum(${amount}), 0)::text` })
    .from(vaultRequests)
    .where(
      and(
        eq(playerId, of.playerId),
        eq(factionId, of.factionId),
        eq(currency, of.currency),
        or(pendingAt(now), paidSince),
      ),
    );
  return Number(row?.sum ?? 0);
}

/** True if a balance read at `since` may lack a payment. */
export const hasPaymentSince = (on: Queryable, of: VaultMember, since: Date): Promise<boolean> =>
  hasRows(
    on
      .select({ id })
      .from(vaultRequests)
      .where(
        and(
          eq(playerId, of.playerId),
          eq(factionId, of.factionId),
          eq(status, "fulfilled"),
          gte(closedAt, since),
        ),
      )
      .limit(1),
  );

export async function insertVaultRequest(
  tx: Queryable,
  request: Omit<typeof vaultRequests.$inferInsert, "status">,
): Promise<VaultRequest> {
  const [row] = await tx
    .insert(vaultRequests)
    .values({ ...request, status: "pending" })
    .returning(record);
  if (!row) throw new Error("The vault request was not inserted.");
  return row;
}

export const findVaultRequest = (on: Queryable, faction: number, request: RequestIdentifier) =>
  first(
    on
      .select(record)
      .from(vaultRequests)
      .where(and(eq(factionId, faction), named(request))),
  );

/** Conditional update: of concurrent callers, only one gets the row. */
const change = (
  tx: Queryable,
  set: PgUpdateSetSource<typeof vaultRequests>,
  ...where: readonly (SQL | undefined)[]
): Promise<VaultRequest[]> =>
  tx
    .update(vaultRequests)
    .set(set)
    .where(and(...where))
    .returning(record);

const changeOne = (
  tx: Queryable,
  requestId: number,
  set: PgUpdateSetSource<typeof vaultRequests>,
  ...where: readonly (SQL | undefined)[]
): Promise<VaultRequest | undefined> => first(change(tx, set, eq(id, requestId), ...where));

interface Act {
  readonly by: number;
  readonly at: Date;
}

export const closeVaultRequest = (
  tx: Queryable,
  requestId: number,
  closing: Act & {
    readonly status: "fulfilled" | "cancelled";
    readonly reason?: string | undefined;
  },
) => {
  const { status: ending, by, at, reason = null } = closing;
  const closed = { status: ending, closedAt: at, closedBy: by, reason };
  const search = ending === "fulfilled" ? "waiting" : null;
  return changeOne(tx, requestId, { ...closed, verification: search }, pendingAt(at));
};

export const restartVerification = (tx: Queryable, requestId: number, { by, at }: Act) =>
  changeOne(
    tx,
    requestId,
    { closedAt: at, closedBy: by, verification: "waiting" },
    eq(status, "fulfilled"),
    eq(verification, "unverified"),
  );

export const claimVaultRequest = (
  tx: Queryable,
  requestId: number,
  { by, at, until }: Act & { readonly until: Date },
) =>
  changeOne(
    tx,
    requestId,
    { claimedBy: by, claimedUntil: until },
    pendingAt(at),
    or(isNull(claimedUntil), lte(claimedUntil, at), eq(claimedBy, by)),
  );

const unclaimed = { claimedBy: null, claimedUntil: null };

/** @returns undefined unless this player holds the claim */
export const releaseVaultRequest = (tx: Queryable, requestId: number, { by, at }: Act) =>
  changeOne(tx, requestId, unclaimed, pendingAt(at), eq(claimedBy, by), gt(claimedUntil, at));

export function endClaims(tx: Queryable, now: Date, limit: number): Promise<VaultRequest[]> {
  const over = tx
    .select({ id })
    .from(vaultRequests)
    .where(and(pendingAt(now), lte(claimedUntil, now)))
    .limit(limit)
    .for("update", { skipLocked: true });
  return change(tx, unclaimed, inArray(id, over), lte(claimedUntil, now));
}

/** The closing time is the expiry time, however late the job runs. */
export function cancelExpired(tx: Queryable, now: Date, limit: number): Promise<VaultRequest[]> {
  const overdue = tx
    .select({ id })
    .from(vaultRequests)
    .where(and(eq(status, "pending"), lte(expiresAt, now)))
    .orderBy(asc(expiresAt))
    .limit(limit)
    .for("update", { skipLocked: true });
  const cancelled = { status: "cancelled", closedAt: sql`${expiresAt}` } as const;
  return change(tx, cancelled, inArray(id, overdue), eq(status, "pending"));
}

export function cancelOfLeavers(tx: Queryable, now: Date, limit: number): Promise<VaultRequest[]> {
  const left = tx
    .select({ id })
    .from(vaultRequests)
    .innerJoin(players, eq(players.id, playerId))
    .where(and(eq(status, "pending"), sql`${players.factionId} is distinct from ${factionId}`))
    .limit(limit)
    .for("update", { of: vaultRequests, skipLocked: true });
  return change(tx, { status: "cancelled", closedAt: now }, inArray(id, left), pendingAt(now));
}

export const cancelAllOf = (tx: Queryable, player: number, now: Date) =>
  change(
    tx,
    { status: "cancelled", closedAt: now, closedBy: player },
    eq(playerId, player),
    pendingAt(now),
  );

export interface PlaceInList {
  readonly at: Date;
  readonly id: number;
}

export interface RequestFilter {
  readonly factionId: number;
  readonly pendingOnly: boolean;
  readonly limit: number;
  /** Latest request time, inclusive of the whole second. */
  readonly before?: Date | undefined;
  readonly below?: number | undefined;
  /** Compared by value, so the request at the cursor may be gone. */
  readonly after?: PlaceInList | undefined;
}

const oneSecond = 1_000;

export function listMatching(
  on: Queryable,
  filter: RequestFilter & { readonly playerId?: number | undefined; readonly now: Date },
): Promise<VaultRequest[]> {
  const { before, below, after } = filter;
  const place = sql`(select ${requestedAt}, ${id} from ${vaultRequests} where ${id} = ${below} and ${factionId} = ${filter.factionId})`;
  return on
    .select(record)
    .from(vaultRequests)
    .where(
      and(
        eq(factionId, filter.factionId),
        filter.playerId === undefined ? undefined : eq(playerId, filter.playerId),
        filter.pendingOnly ? pendingAt(filter.now) : undefined,
        before && lt(requestedAt, new Date(before.getTime() + oneSecond)),
        below === undefined ? undefined : sql`(${requestedAt}, ${id}) < ${place}`,
        after &&
          sql`(${requestedAt}, ${id}) < (${after.at.toISOString()}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(desc(requestedAt), desc(id))
    .limit(filter.limit);
}

export const listPending = (
  on: Queryable,
  of: { readonly factionId: number; readonly now: Date; readonly limit: number },
): Promise<VaultRequest[]> =>
  on
    .select(record)
    .from(vaultRequests)
    .where(and(eq(factionId, of.factionId), pendingAt(of.now)))
    .orderBy(asc(requestedAt), asc(id))
    .limit(of.limit);

const isSearched = eq(verification, "waiting");

export const listUnproved = (on: Queryable, limit: number): Promise<VaultRequest[]> =>
  on
    .select(record)
    .from(vaultRequests)
    .where(isSearched)
    .orderBy(asc(closedAt), asc(id))
    .limit(limit);

export async function findUsedNews(
  on: Queryable,
  newsIds: readonly string[],
): Promise<Set<string>> {
  if (newsIds.length === 0) return new Set();
  const rows = await on
    .select({ newsId })
    .from(vaultRequests)
    .where(inArray(newsId, [...newsIds]));
  return new Set(rows.flatMap((row) => (row.newsId === null ? [] : [row.newsId])));
}

/**
 * `closed_by` becomes the payer named in the news, in place of the banker that marked the request.
 */
export const saveVerification = (
  tx: Queryable,
  marked: Pick<VaultRequest, "id" | "closedAt">,
  proof: { readonly newsId: string; readonly by: number } | null,
) =>
  changeOne(
    tx,
    marked.id,
    proof
      ? { verification: "verified", newsId: proof.newsId, closedBy: proof.by }
      : { verification: "unverified" },
    isSearched,
    // If the request was marked as paid again meanwhile, another search is pending.
    marked.closedAt ? eq(closedAt, marked.closedAt) : undefined,
  );

export interface LedgerFilter {
  readonly factionId: number;
  readonly from: Date;
  readonly playerId: number | null;
  readonly unseenOnly: boolean;
}

/** Every filter uses the partial index of closed requests. */
const matching = (filter: LedgerFilter) =>
  and(
    eq(factionId, filter.factionId),
    isNotNull(closedAt),
    gte(closedAt, filter.from),
    filter.playerId === null ? undefined : eq(playerId, filter.playerId),
    filter.unseenOnly ? eq(verification, "unverified") : undefined,
  );

const paid = (filter: LedgerFilter) => and(matching(filter), eq(status, "fulfilled"));

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

export async function saveVaultReading(
  on: Queryable,
  reading: typeof vaultReadings.$inferSelect,
): Promise<void> {
  const { readAt, balances } = reading;
  await on
    .insert(vaultReadings)
    .values(reading)
    .onConflictDoUpdate({
      target: vaultReadings.factionId,
      set: { readAt, balances },
      setWhere: lt(vaultReadings.readAt, readAt),
    });
}

export const findVaultReading = (on: Queryable, ofFaction: number) =>
  first(on.select().from(vaultReadings).where(eq(vaultReadings.factionId, ofFaction)));

export const playerIdsOf = ({
  playerId: member,
  closedBy: closer,
  claimedBy: claimant,
}: VaultRequest): number[] => [member, closer, claimant].filter((player) => player !== null);

export async function findPeople(on: Queryable, playerIds: readonly number[]) {
  const rows = await on
    .select({
      playerId: players.id,
      name: players.name,
      accountId: accounts.id,
      chatId: effectiveChatId,
    })
    .from(players)
    .leftJoin(accounts, eq(accounts.playerId, players.id))
    .leftJoin(chatIdentities, eq(chatIdentities.accountId, accounts.id))
    .where(inArray(players.id, [...new Set(playerIds)]));
  return new Map(rows.map((person) => [person.playerId, person]));
}

export const createNameLookup =
  (people: ReadonlyMap<number, NamedPlayer>) =>
  (playerId: number): NamedPlayer => ({ playerId, name: people.get(playerId)?.name ?? "Player" });
