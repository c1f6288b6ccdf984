import { and, desc, eq, gte, isNull, like, ne, or } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, notices } from "#db/schema/accounts";
import { events } from "#db/schema/events";
import { retaliations, vaultRequests } from "#db/schema/faction";
import { players } from "#db/schema/players";
import { estimateModels, personalStats } from "#db/schema/stats";

export async function findAccountId(on: Queryable, playerId: number): Promise<string | null> {
  const [row] = await on
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.playerId, playerId));
  return row?.id ?? null;
}

/** Last listing, without recruits: hits on them bring no respect. */
export async function listFighters(on: Queryable, factionId: number): Promise<number[]> {
  const rows = await on
    .select({ id: players.id })
    .from(players)
    .where(and(eq(players.factionId, factionId), ne(players.positionName, "Recruit")))
    .orderBy(players.id);
  return rows.map(({ id }) => id);
}

export async function wasHitSince(on: Queryable, factionId: number, since: Date): Promise<boolean> {
  const rows = await on
    .select({ code: retaliations.code })
    .from(retaliations)
    .where(and(eq(retaliations.factionId, factionId), gte(retaliations.attackEnded, since)))
    .limit(1);
  return rows.length > 0;
}

export async function findNewestRequest(on: Queryable, playerId: number) {
  const { guid, amount, status, requestedAt } = vaultRequests;
  const [row] = await on
    .select({ guid, amount, status, requestedAt })
    .from(vaultRequests)
    .where(and(eq(vaultRequests.playerId, playerId), eq(vaultRequests.currency, "money_balance")))
    .orderBy(desc(requestedAt), desc(vaultRequests.id))
    .limit(1);
  return row;
}

export async function findNewestKeyNotice(on: Queryable, playerId: number) {
  const [row] = await on
    .select({ text: notices.text, createdAt: notices.createdAt })
    .from(notices)
    .innerJoin(accounts, eq(accounts.id, notices.accountId))
    .where(and(eq(accounts.playerId, playerId), like(notices.kind, "game-key-%")))
    .orderBy(desc(notices.createdAt), desc(notices.id))
    .limit(1);
  return row;
}

export async function countWhatWasRead(on: Queryable) {
  return {
    holders: await on.$count(accounts),
    players: await on.$count(personalStats),
    models: await on.$count(estimateModels, eq(estimateModels.inForce, true)),
  };
}

export function listNewestEvents(
  on: Queryable,
  { factionId, limit }: { factionId: number; limit: number },
) {
  const { seq, type, at } = events;
  return on
    .select({ seq, type, at })
    .from(events)
    .where(
      or(
        eq(events.factionId, factionId),
        and(isNull(events.factionId), isNull(events.clientId), isNull(events.playerId)),
      ),
    )
    .orderBy(desc(seq))
    .limit(limit);
}
