import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, chatIdentities } from "#db/schema/accounts";
import { vaultRequests } from "#db/schema/faction";
import { players } from "#db/schema/players";
import type { Currency, RequestName, VaultRequest } from "./vault-request";

const { id, guid, factionId, playerId, amount, currency, status, requestedAt, expiresAt } =
  vaultRequests;
const { closedAt, closedBy, verification, channelId } = vaultRequests;
/** A request as it is known above this layer. */
export const record = {
  ...{ id, guid, factionId, playerId, amount, currency, status, requestedAt, expiresAt },
  ...{ closedAt, closedBy, verification, channelId },
};

/** Not closed, and its time is not over: a request is nobody's any more from the moment it expires, swept or not. */
const pendingAt = (now: Date) =>
  and(eq(status, "pending"), or(isNull(expiresAt), gt(expiresAt, now)));

const named = (request: RequestName): SQL =>
  "id" in request ? eq(vaultRequests.id, request.id) : eq(vaultRequests.guid, request.guid);

/** Whose requests of which kind draw on one balance. */
export interface VaultAccount {
  readonly factionId: number;
  readonly playerId: number;
  readonly currency: Currency;
}

/** Makes everybody who asks for money of the same balance wait, until this transaction ends. */
export async function lockBalance(tx: Queryable, of: VaultAccount): Promise<void> {
  const lock = `vault ${of.factionId} ${of.playerId} ${of.currency}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
}

/**
 * What of a balance is spoken for: the pending requests, and those that were paid out since the balance was read, which the
 * figure may not know yet.
 */
export async function sumSpokenFor(
  tx: Queryable,
  of: VaultAccount,
  { now, readAt }: { now: Date; readAt: Date },
) {
  const paidSince = and(eq(status, "fulfilled"), gt(closedAt, readAt));
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

/** Whether a payment to the member was recorded at this moment or later, which a balance read then may not know. */
export async function wasPaidSince(
  on: Queryable,
  of: Omit<VaultAccount, "currency">,
  since: Date,
): Promise<boolean> {
  const rows = await on
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
    .limit(1);
  return rows.length > 0;
}

export type NewRequest = Pick<
  VaultRequest,
  | "guid"
  | "factionId"
  | "playerId"
  | "amount"
  | "currency"
  | "requestedAt"
  | "expiresAt"
  | "channelId"
>;

export async function insertVaultRequest(
  tx: Queryable,
  request: NewRequest,
): Promise<VaultRequest> {
  const [row] = await tx
    .insert(vaultRequests)
    .values({ ...request, status: "pending" })
    .returning(record);
  if (!row) throw new Error("The vault request was not inserted.");
  return row;
}

/** A request of one faction; another faction's is not found, as if it did not exist. */
export async function findVaultRequest(on: Queryable, faction: number, request: RequestName) {
  const [row] = await on
    .select(record)
    .from(vaultRequests)
    .where(and(eq(factionId, faction), named(request)));
  return row;
}

export interface Closing {
  readonly status: "fulfilled" | "cancelled";
  readonly by: number;
  readonly at: Date;
}

/**
 * Closes a request that is still pending. Many may try at once; the WHERE lets one of them have it.
 * @returns undefined for everybody else
 */
export async function closeVaultRequest(tx: Queryable, requestId: number, closing: Closing) {
  const [row] = await tx
    .update(vaultRequests)
    .set({
      status: closing.status,
      closedAt: closing.at,
      closedBy: closing.by,
      verification: closing.status === "fulfilled" ? "waiting" : null,
    })
    .where(and(eq(id, requestId), pendingAt(closing.at)))
    .returning(record);
  return row;
}

/**
 * Marks a payment that the vault's news does not show as made now: the search for it starts over. Of many who try at once one has
 * it.
 * @returns undefined for everybody else
 */
export async function reopenPayment(
  tx: Queryable,
  requestId: number,
  { by, at }: Omit<Closing, "status">,
) {
  const [row] = await tx
    .update(vaultRequests)
    .set({ closedAt: at, closedBy: by, verification: "waiting" })
    .where(and(eq(id, requestId), eq(status, "fulfilled"), eq(verification, "unverified")))
    .returning(record);
  return row;
}

/** Cancels requests whose time is over, as of the moment it was over, the longest overdue first. @returns those that it cancelled */
export function cancelExpired(tx: Queryable, now: Date, limit: number): Promise<VaultRequest[]> {
  const overdue = tx
    .select({ id })
    .from(vaultRequests)
    .where(and(eq(status, "pending"), lte(expiresAt, now)))
    .orderBy(asc(expiresAt))
    .limit(limit)
    .for("update", { skipLocked: true });
  return tx
    .update(vaultRequests)
    .set({ status: "cancelled", closedAt: sql`${expiresAt}` })
    .where(and(inArray(id, overdue), eq(status, "pending")))
    .returning(record);
}

/** Cancels requests of players who were seen outside the faction since. @returns those that it cancelled */
export function cancelOfLeavers(tx: Queryable, now: Date, limit: number): Promise<VaultRequest[]> {
  const left = tx
    .select({ id })
    .from(vaultRequests)
    .innerJoin(players, eq(players.id, playerId))
    .where(and(eq(status, "pending"), sql`${players.factionId} is distinct from ${factionId}`))
    .limit(limit)
    .for("update", { of: vaultRequests, skipLocked: true });
  return tx
    .update(vaultRequests)
    .set({ status: "cancelled", closedAt: now })
    .where(and(inArray(id, left), pendingAt(now)))
    .returning(record);
}

/** Cancels all that a player still waits for. @returns those that it cancelled */
export function cancelAllOf(tx: Queryable, player: number, now: Date): Promise<VaultRequest[]> {
  return tx
    .update(vaultRequests)
    .set({ status: "cancelled", closedAt: now, closedBy: player })
    .where(and(eq(playerId, player), pendingAt(now)))
    .returning(record);
}

export interface RequestFilter {
  readonly factionId: number;
  /** Only this member's. */
  readonly playerId?: number | undefined;
  readonly pendingOnly: boolean;
  readonly now: Date;
  /** The latest moment of asking, its whole second included. */
  readonly before?: Date | undefined;
  /** Only those that stand below this request of the faction in the list. */
  readonly below?: number | undefined;
  /** Only those that stand below this place, whether its request is still there or not. */
  readonly after?: PlaceInList | undefined;
  readonly limit: number;
}

/** A request's place in the list. */
export interface PlaceInList {
  readonly at: Date;
  readonly id: number;
}

const oneSecond = 1_000;

/** Requests that fit, newest first; of one moment the higher number first. */
export function listMatching(on: Queryable, filter: RequestFilter): Promise<VaultRequest[]> {
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

/** A player that a request concerns, and where to notify them. */
export interface Person {
  readonly playerId: number;
  readonly name: string;
  readonly accountId: string | null;
  /** The chat account that was linked here, else the one that the game names. */
  readonly chatId: bigint | null;
}

/** Those of the players who are known, by id. */
export async function findPeople(
  on: Queryable,
  playerIds: readonly number[],
): Promise<Map<number, Person>> {
  if (playerIds.length === 0) return new Map();
  const rows = await on
    .select({
      playerId: players.id,
      name: players.name,
      accountId: accounts.id,
      linkedChatId: chatIdentities.chatId,
      gameChatId: players.chatId,
    })
    .from(players)
    .leftJoin(accounts, eq(accounts.playerId, players.id))
    .leftJoin(chatIdentities, eq(chatIdentities.accountId, accounts.id))
    .where(inArray(players.id, [...new Set(playerIds)]));
  return new Map(
    rows.map(({ linkedChatId, gameChatId, ...person }) => [
      person.playerId,
      { ...person, chatId: linkedChatId ?? gameChatId },
    ]),
  );
}
