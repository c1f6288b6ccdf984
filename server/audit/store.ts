import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  lt,
  lte,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Queryable } from "#db/client";
import { nameStarts } from "#db/expressions";
import type { PartitionedLog } from "#db/partitions";
import { accounts } from "#db/schema/accounts";
import { applications } from "#db/schema/oauth";
import { auditLog, auditSearchVector } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { columnsOf, first } from "#db/select";
import type { Actor } from "#server/actor";
import type { Context } from "#server/context";
import { dayMs, weekMs } from "#server/platform/time";
import type { NamedPlayer } from "#server/users/player";
import { type AuditDetails, actorKey, changedFields } from "./audit";

export interface StoredAuditEvent extends Omit<typeof auditLog.$inferSelect, "details"> {
  readonly details: AuditDetails;
}

export interface AuditFilter {
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly acts?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
  readonly search?: AuditSearchTerms | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly before?: bigint | undefined;
}

/**
 * One matching term suffices. Token refreshes are found only by act and by the time in a request
 * id.
 */
export interface AuditSearchTerms {
  readonly acts: readonly string[];
  readonly accountIds: readonly string[];
  readonly clientIds: readonly string[];
  /** Prefixes of words; the details must contain all. */
  readonly words: readonly string[];
  readonly requestId?: string | undefined;
  /** Earliest and latest time of the request. */
  readonly requested?: { readonly since: Date; readonly until: Date } | undefined;
  readonly address?: string | undefined;
}

/** Atomic with the act when called in its transaction. */
export const createAuditWriter =
  (now: () => Date): Context["audit"] =>
  async (on, by, act, facts = {}) => {
    const from = by.kind === "job" ? null : by.from;
    const rows = [facts].flat().map(({ accountId, clientId, details, ...rows }) => ({
      at: now(),
      act,
      actor: actorKey(by),
      details: { ...details, ...changedFields(act, rows) },
      accountId: accountId === undefined ? accountOf(by) : accountId,
      clientId: clientId === undefined ? clientOf(by) : clientId,
      requestId: from?.requestId ?? null,
      address: from?.address ?? null,
    }));
    if (rows.length > 0) await on.insert(auditLog).values(rows);
  };

const accountOf = (by: Actor): string | null => ("accountId" in by ? by.accountId : null);

function clientOf(by: Actor): string | null {
  if (by.kind === "client") return by.client.clientId;
  return by.kind === "token" ? by.clientId : null;
}

export const listAuditEvents = (on: Queryable, filter: AuditFilter, limit: number) =>
  on.select().from(auditLog).where(fits(filter)).orderBy(desc(auditLog.id)).limit(limit);

const fits = (filter: AuditFilter) => {
  const { acts, accountId, clientId, without, before, search, since, until } = filter;
  return and(
    acts && inArray(auditLog.act, [...acts]),
    accountId ? eq(auditLog.accountId, accountId) : undefined,
    clientId ? eq(auditLog.clientId, clientId) : undefined,
    without && notInArray(auditLog.act, [...without]),
    before === undefined ? undefined : lt(auditLog.id, before),
    since && gte(auditLog.at, since),
    until && lte(auditLog.at, until),
    search && holds(search),
  );
};

/** Must equal the condition of the partial indexes. */
const noRefresh = ne(auditLog.act, sql`'token.refreshed'`);

function holds({ acts, accountIds, clientIds, words, ...of }: AuditSearchTerms): SQL | undefined {
  const { requestId, requested, address } = of;
  const query = words.map((word) => `${word}:*`).join(" & ");
  return or(
    inArray(auditLog.act, [...acts]),
    inArray(auditLog.accountId, [...accountIds]),
    inArray(auditLog.clientId, [...clientIds]),
    words.length === 0
      ? undefined
      : and(
          noRefresh,
          sql`${auditSearchVector(auditLog.details)} @@ to_tsquery('simple', ${query})`,
        ),
    address === undefined ? undefined : and(noRefresh, eq(auditLog.address, address)),
    requestId === undefined ? undefined : and(noRefresh, eq(auditLog.requestId, requestId)),
    requestId === undefined || !requested
      ? undefined
      : and(
          gte(auditLog.at, requested.since),
          lt(auditLog.at, requested.until),
          eq(auditLog.requestId, requestId),
        ),
  );
}

/** Further accounts with a common name are not searched. */
const mostNamed = 20;

/** Searches by the beginning of a name; includes deleted applications. */
export async function findIdsByName(on: Queryable, start: string) {
  const [named, applied] = await Promise.all([
    on
      .select({ id: accounts.id })
      .from(accounts)
      .innerJoin(players, eq(players.id, accounts.playerId))
      .where(nameStarts(players.name, start))
      .limit(mostNamed),
    on
      .select({ id: applications.clientId })
      .from(applications)
      .where(nameStarts(applications.name, start))
      .limit(mostNamed),
  ]);
  return { accountIds: named.map(({ id }) => id), clientIds: applied.map(({ id }) => id) };
}

export const listAuditEventsAfter = (
  on: Queryable,
  filter: AuditFilter & { readonly after: bigint },
  limit: number,
) =>
  on
    .select()
    .from(auditLog)
    .where(and(fits(filter), gt(auditLog.id, filter.after)))
    .orderBy(asc(auditLog.id))
    .limit(limit);

export async function findAccountOfPlayer(
  on: Queryable,
  playerId: number,
): Promise<string | undefined> {
  const id = columnsOf(accounts, ["id"]);
  return (await first(on.select(id).from(accounts).where(eq(accounts.playerId, playerId))))?.id;
}

export async function findPlayersOfAccounts(
  on: Queryable,
  accountIds: readonly string[],
): Promise<Map<string, NamedPlayer>> {
  if (accountIds.length === 0) return new Map();
  const rows = await on
    .select({ id: accounts.id, playerId: players.id, name: players.name })
    .from(accounts)
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(inArray(accounts.id, [...accountIds]));
  return new Map(rows.map(({ id, ...player }) => [id, player]));
}

export async function findNamedPlayers(
  on: Queryable,
  playerIds: readonly number[],
): Promise<Map<number, NamedPlayer>> {
  if (playerIds.length === 0) return new Map();
  const rows = await on
    .select({ playerId: players.id, name: players.name })
    .from(players)
    .where(inArray(players.id, [...playerIds]));
  return new Map(rows.map((player) => [player.playerId, player]));
}

/** Includes deleted applications. */
export async function findApplicationNames(
  on: Queryable,
  clientIds: readonly string[],
): Promise<Map<string, string>> {
  if (clientIds.length === 0) return new Map();
  const rows = await on
    .select(columnsOf(applications, ["clientId", "name"]))
    .from(applications)
    .where(inArray(applications.clientId, [...clientIds]));
  return new Map(rows.map(({ clientId, name }) => [clientId, name]));
}

/** Rows are only appended, and removed only by age. */
export const auditLogPartitions: PartitionedLog = {
  table: auditLog,
  period: weekMs,
  kept: 90 * dayMs,
};
