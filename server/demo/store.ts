import { and, desc, eq, gte, isNull, like, ne, or } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, notices } from "#db/schema/accounts";
import { events } from "#db/schema/events";
import { retaliations, vaultRequests } from "#db/schema/faction";
import { players } from "#db/schema/players";
import { estimateModels, personalStats } from "#db/schema/stats";
import { columnsOf, first, hasRows } from "#db/select";

export async function findAccountId(on: Queryable, playerId: number): Promise<string | null> {
  const account = await first(
    on.select({ id: accounts.id }).from(accounts).where(eq(accounts.playerId, playerId)),
  );
  return account?.id ?? null;
}

/** Leaves out recruits, because hits on recruits bring no respect. */
export async function listFighterIds(on: Queryable, factionId: number): Promise<number[]> {
  const rows = await on
    .select({ id: players.id })
    .from(players)
    .where(and(eq(players.factionId, factionId), ne(players.positionName, "Recruit")))
    .orderBy(players.id);
  return rows.map(({ id }) => id);
}

export const wasFactionHitSince = (
  on: Queryable,
  factionId: number,
  since: Date,
): Promise<boolean> =>
  hasRows(
    on
      .select({ code: retaliations.code })
      .from(retaliations)
      .where(and(eq(retaliations.factionId, factionId), gte(retaliations.attackEnded, since)))
      .limit(1),
  );

export const findNewestVaultRequest = (on: Queryable, playerId: number) =>
  first(
    on
      .select(columnsOf(vaultRequests, ["guid", "amount", "status", "requestedAt"]))
      .from(vaultRequests)
      .where(and(eq(vaultRequests.playerId, playerId), eq(vaultRequests.currency, "money_balance")))
      .orderBy(desc(vaultRequests.requestedAt), desc(vaultRequests.id))
      .limit(1),
  );

export const findNewestKeyNotice = (on: Queryable, playerId: number) =>
  first(
    on
      .select(columnsOf(notices, ["text", "createdAt"]))
      .from(notices)
      .innerJoin(accounts, eq(accounts.id, notices.accountId))
      .where(and(eq(accounts.playerId, playerId), like(notices.kind, "game-key-%")))
      .orderBy(desc(notices.createdAt), desc(notices.id))
      .limit(1),
  );

export const countDemoData = async (on: Queryable) => ({
  holders: await on.$count(accounts),
  players: await on.$count(personalStats),
  models: await on.$count(estimateModels, eq(estimateModels.inForce, true)),
});

export function listNewestEvents(
  on: Queryable,
  { factionId, limit }: { factionId: number; limit: number },
) {
  return on
    .select(columnsOf(events, ["seq", "type", "at"]))
    .from(events)
    .where(
      or(
        eq(events.factionId, factionId),
        and(isNull(events.factionId), isNull(events.clientId), isNull(events.playerId)),
      ),
    )
    .orderBy(desc(events.seq))
    .limit(limit);
}
