import { and, eq, ne } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { factions } from "#db/schema/players";

/** Who may see scores that a faction's fights told: everybody, the faction alone, or nobody, because none are kept. */
export type StatSharing = (typeof factions.$inferSelect)["statSharing"];

export async function findStatSharing(on: Queryable, factionId: number): Promise<StatSharing> {
  const [row] = await on.select({ sharing: factions.statSharing }).from(factions).where(eq(factions.id, factionId));
  return row?.sharing ?? "everybody";
}

/** @returns false where it was so already */
export async function setStatSharing(tx: Queryable, factionId: number, sharing: StatSharing): Promise<boolean> {
  const changed = await tx
    .update(factions)
    .set({ statSharing: sharing })
    .where(and(eq(factions.id, factionId), ne(factions.statSharing, sharing)))
    .returning({ id: factions.id });
  return changed.length > 0;
}
