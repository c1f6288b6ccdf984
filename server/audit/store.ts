import { and, asc, desc, eq, gt, gte, inArray, lt, notInArray } from "drizzle-orm";
import type { Queryable } from "#db/client";
import type { PartitionedLog } from "#db/partitions";
import { accounts } from "#db/schema/accounts";
import { applications } from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { dayMs, weekMs } from "#server/platform/time";
import type { NamedPlayer } from "#server/users/player";
import type { AuditEvent } from "./audit";

/** An event as stored. */
export interface StoredAuditEvent {
  /** Grows with time; the name of a place in the log. */
  readonly id: bigint;
  readonly at: Date;
  /** Of this release or of an earlier one. */
  readonly act: string;
  readonly actor: string;
  readonly accountId: string | null;
  readonly clientId: string | null;
  readonly requestId: string | null;
  readonly address: string | null;
  readonly details: NonNullable<AuditEvent["details"]>;
}

/** A filter of events; all that is given must fit. */
export interface AuditFilter {
  readonly act?: string | undefined;
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly without?: readonly string[] | undefined;
  /** Only events older than this one. */
  readonly before?: bigint | undefined;
}

/** Appends events. In a transaction they stand or fall with the acts that they tell of. */
export async function appendAuditEvents(
  on: Queryable,
  events: readonly AuditEvent[],
  at: Date,
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({
    at,
    act: event.act,
    actor: event.actor,
    accountId: event.accountId ?? null,
    clientId: event.clientId ?? null,
    requestId: event.origin?.requestId ?? null,
    address: event.origin?.address ?? null,
    details: event.details ?? {},
  }));
  await on.insert(auditLog).values(rows);
}

/** Events that fit, newest first. */
export async function listAuditEvents(
  on: Queryable,
  filter: AuditFilter,
  limit: number,
): Promise<StoredAuditEvent[]> {
  return on.select().from(auditLog).where(fits(filter)).orderBy(desc(auditLog.id)).limit(limit);
}

const fits = ({ act, accountId, clientId, without, before }: AuditFilter) =>
  and(
    act === undefined ? undefined : eq(auditLog.act, act),
    accountId === undefined ? undefined : eq(auditLog.accountId, accountId),
    clientId === undefined ? undefined : eq(auditLog.clientId, clientId),
    without === undefined ? undefined : notInArray(auditLog.act, [...without]),
    before === undefined ? undefined : lt(auditLog.id, before),
  );

/** Events that fit, oldest first, after the one with this id. */
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

/** The account of the player with this number in the game. */
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

/** The players of these accounts, by account. */
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

/** These players, by their number in the game. */
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

/** The names of these applications, deleted ones too, by client id. */
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

/** Nobody changes the audit log; only age removes from it. */
export const auditLogPartitions: PartitionedLog = {
  table: auditLog,
  period: weekMs,
  kept: 90 * dayMs,
};
