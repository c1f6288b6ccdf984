import { and, asc, desc, eq, gte, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { retaliations } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import { columnsOf } from "#db/select";

const hit = columnsOf(retaliations, [
  "code",
  "attackEnded",
  "defenderId",
  "defenderName",
  "attackerId",
  "attackerName",
]);

export type Hit = Pick<typeof retaliations.$inferSelect, keyof typeof hit>;

/** True if the defender is still a member. A hit newer than the last sighting proves membership. */
const stillThere = or(
  eq(players.factionId, retaliations.factionId),
  and(isNull(players.factionId), isNull(players.factionSeen)),
  lt(players.factionSeen, retaliations.attackEnded),
);

const mostShown = 250;

const openRows = (database: Database) =>
  database.statement("open_retaliations", ({ query }) =>
    query
      .select(hit)
      .from(retaliations)
      .leftJoin(players, eq(players.id, retaliations.defenderId))
      .where(
        and(
          eq(retaliations.factionId, sql.placeholder("factionId")),
          gte(retaliations.attackEnded, sql.placeholder("since")),
          isNull(retaliations.answeredAt),
          stillThere,
        ),
      )
      .orderBy(desc(retaliations.attackEnded), asc(retaliations.code))
      .limit(mostShown)
      .prepare("open_retaliations"),
  );

export const listOpenRetaliations = (
  database: Database,
  of: { factionId: number; since: Date },
): Promise<Hit[]> =>
  openRows(database).execute({ factionId: of.factionId, since: of.since.toISOString() });

export function findRetaliations(on: Queryable, codes: readonly string[]) {
  return on
    .select({
      ...hit,
      factionId: retaliations.factionId,
      answered: sql<boolean>`${retaliations.answeredAt} is not null`,
      there: sql<boolean>`coalesce(${stillThere}, false)`,
    })
    .from(retaliations)
    .leftJoin(players, eq(players.id, retaliations.defenderId))
    .where(inArray(retaliations.code, [...codes]));
}

export async function listUnclosedCodes(
  on: Queryable,
  factionId: number,
  since: Date,
): Promise<string[]> {
  const rows = await on
    .select({ code: retaliations.code })
    .from(retaliations)
    .where(
      and(
        eq(retaliations.factionId, factionId),
        gte(retaliations.attackEnded, since),
        isNull(retaliations.closedAt),
      ),
    );
  return rows.map(({ code }) => code);
}

/** @returns the codes of the new hits */
export async function addRetaliations(
  tx: Queryable,
  factionId: number,
  hits: readonly Hit[],
): Promise<string[]> {
  if (hits.length === 0) return [];
  const added = await tx
    .insert(retaliations)
    .values(hits.map((hit) => ({ ...hit, factionId })))
    .onConflictDoNothing({ target: retaliations.code })
    .returning({ code: retaliations.code });
  return added.map(({ code }) => code);
}

/** Marks expired hits too. @returns the codes of the hits that were still open */
export async function markRetaliationsAnswered(
  tx: Queryable,
  { factionId, attackerId, at }: { factionId: number; attackerId: number; at: Date },
): Promise<string[]> {
  const answered = await tx
    .update(retaliations)
    .set({
      answeredAt: at,
      closedAt: sql`coalesce(${retaliations.closedAt}, ${at.toISOString()}::timestamptz)`,
    })
    .where(
      and(
        eq(retaliations.factionId, factionId),
        eq(retaliations.attackerId, attackerId),
        lte(retaliations.attackEnded, at),
        isNull(retaliations.answeredAt),
      ),
    )
    .returning({ code: retaliations.code, closedAt: retaliations.closedAt });
  return answered
    .filter(({ closedAt }) => closedAt?.getTime() === at.getTime())
    .map(({ code }) => code);
}

export async function closeUnanswered(
  tx: Queryable,
  { before, now, limit }: { readonly before: Date; readonly now: Date; readonly limit: number },
): Promise<{ readonly code: string; readonly factionId: number }[]> {
  const due = tx
    .select({ code: retaliations.code })
    .from(retaliations)
    .where(and(isNull(retaliations.closedAt), lt(retaliations.attackEnded, before)))
    .limit(limit)
    .for("update", { skipLocked: true });
  return tx
    .update(retaliations)
    .set({ closedAt: now })
    .where(inArray(retaliations.code, due))
    .returning({ code: retaliations.code, factionId: retaliations.factionId });
}

export async function findAttackWatermark(on: Queryable, factionId: number): Promise<Date | null> {
  const [row] = await on
    .select({ attacksSeen: factions.attacksSeen })
    .from(factions)
    .where(eq(factions.id, factionId));
  return row?.attacksSeen ?? null;
}

/** Lock order: the faction before its players, to avoid deadlocks. */
export async function lockStatSharing(
  tx: Queryable,
  factionId: number,
): Promise<"everybody" | "faction" | "off"> {
  const [row] = await tx
    .select({ sharing: factions.statSharing })
    .from(factions)
    .where(eq(factions.id, factionId))
    .for("update");
  return row?.sharing ?? "off";
}

export async function advanceAttackWatermark(
  tx: Queryable,
  factionId: number,
  to: Date,
): Promise<void> {
  await tx
    .update(factions)
    .set({ attacksSeen: sql`greatest(${factions.attacksSeen}, ${to.toISOString()}::timestamptz)` })
    .where(eq(factions.id, factionId));
}
