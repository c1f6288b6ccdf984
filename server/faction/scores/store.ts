import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, notices } from "#db/schema/accounts";
import { factions } from "#db/schema/players";

/** Visibility of scores from fights: everyone, the faction, or not kept. */
export type StatSharing = (typeof factions.$inferSelect)["statSharing"];

export async function findStatSharing(
  on: Queryable,
  factionId: number,
): Promise<{ readonly sharing: StatSharing; readonly chosen: Date | null }> {
  const [row] = await on
    .select({ sharing: factions.statSharing, chosen: factions.statSharingChosen })
    .from(factions)
    .where(eq(factions.id, factionId));
  return row ?? { sharing: "faction", chosen: null };
}

/** @returns false if nothing changed, as for an unknown faction */
export async function setStatSharing(
  tx: Queryable,
  factionId: number,
  { sharing, at }: { readonly sharing: StatSharing; readonly at: Date },
): Promise<boolean> {
  const changed = await tx
    .update(factions)
    .set({ statSharing: sharing, statSharingChosen: at })
    .where(
      and(
        eq(factions.id, factionId),
        or(ne(factions.statSharing, sharing), isNull(factions.statSharingChosen)),
      ),
    )
    .returning({ id: factions.id });
  return changed.length > 0;
}

/** Locks the faction's row if unset. @returns its name; undefined if already chosen */
export async function lockUnchosen(tx: Queryable, factionId: number): Promise<string | undefined> {
  const [row] = await tx
    .select({ name: factions.name })
    .from(factions)
    .where(and(eq(factions.id, factionId), isNull(factions.statSharingChosen)))
    .for("update");
  return row?.name;
}

export async function findAsked(on: Queryable, playerId: number, kind: string) {
  const [row] = await on
    .select({ accountId: accounts.id, asked: sql<boolean>`${notices.id} is not null` })
    .from(accounts)
    .leftJoin(notices, and(eq(notices.accountId, accounts.id), eq(notices.kind, kind)))
    .where(eq(accounts.playerId, playerId))
    .limit(1);
  return row;
}
