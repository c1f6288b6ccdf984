import { and, asc, desc, eq, gt, gte, inArray, lt, notInArray } from "drizzle-orm";
import type { Queryable } from "#db/client";
import type { PartitionedLog } from "#db/partitions";
import { accounts } from "#db/schema/accounts";
import { applications } from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import type { Actor } from "#server/actor";
import type { Context } from "#server/context";
import { dayMs, weekMs } from "#server/platform/time";
import type { NamedPlayer } from "#server/users/player";
import { type AuditDetails, actorName, changedFields } from "./audit";

export interface StoredAuditEvent extends Omit<typeof auditLog.$inferSelect, "details"> {
  readonly details: AuditDetails;
}

export interface AuditFilter {
  readonly act?: string | undefined;
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly acts?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
  /** Cursor: only older events. */
  readonly before?: bigint | undefined;
}

/** Atomic with the act when called in its transaction. */
export const createAudit =
  (now: () => Date): Context["audit"] =>
  async (on, by, act, facts = {}) => {
    const from = by.kind === "job" ? null : by.from;
    const rows = [facts].flat().map(({ accountId, clientId, details, ...rows }) => ({
      ...{ at: now(), act, actor: actorName(by) },
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

export async function listAuditEvents(
  on: Queryable,
  filter: AuditFilter,
  limit: number,
): Promise<StoredAuditEvent[]> {
  return on.select().from(auditLog).where(fits(filter)).orderBy(desc(auditLog.id)).limit(limit);
}

const fits = ({ act, acts, accountId, clientId, without, before }: AuditFilter) =>
  and(
    act === undefined ? undefined : eq(auditLog.act, act),
    acts === undefined ? undefined : inArray(auditLog.act, [...acts]),
    accountId === undefined ? undefined : eq(auditLog.accountId, accountId),
    clientId === undefined ? undefined : eq(auditLog.clientId, clientId),
    without === undefined ? undefined : notInArray(auditLog.act, [...without]),
    before === undefined ? undefined : lt(auditLog.id, before),
  );

export async function listAuditEventsAfter(
  on: Queryable,
  filter: AuditFilter & { readonly after: bigint; readonly since?: Date | undefined },
  limit: number,
): Promise<StoredAuditEvent[]> {
  return on
    .select()
    .from(auditLog)
    .where(
      and(
        fits(filter),
        gt(auditLog.id, filter.after),
        filter.since && gte(auditLog.at, filter.since),
      ),
    )
    .orderBy(asc(auditLog.id))
    .limit(limit);
}

export async function findAccountOfPlayer(
  on: Queryable,
  playerId: number,
): Promise<string | undefined> {
  const [row] = await on
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.playerId, playerId));
  return row?.id;
}

export async function findAccountNames(
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

export async function findPlayerNames(
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
    .select({ clientId: applications.clientId, name: applications.name })
    .from(applications)
    .where(inArray(applications.clientId, [...clientIds]));
  return new Map(rows.map(({ clientId, name }) => [clientId, name]));
}

/** Append-only; rows leave by age alone. */
export const auditLogPartitions: PartitionedLog = {
  table: auditLog,
  period: weekMs,
  kept: 90 * dayMs,
};
