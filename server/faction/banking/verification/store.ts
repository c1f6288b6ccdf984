import { and, asc, eq, inArray } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { vaultRequests } from "#db/schema/faction";
import { record } from "../store";
import type { VaultRequest } from "../vault-request";

const { id, closedAt, newsId, verification } = vaultRequests;
const waiting = eq(verification, "waiting");

export const listUnproved = (on: Queryable, limit: number): Promise<VaultRequest[]> =>
  on.select(record).from(vaultRequests).where(waiting).orderBy(asc(closedAt), asc(id)).limit(limit);

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
 * Records the result and sets `closed_by` to the actual payer.
 * @returns undefined if another run was first
 */
export async function endSearch(
  tx: Queryable,
  marked: Pick<VaultRequest, "id" | "closedAt">,
  proof: { readonly newsId: string; readonly by: number } | null,
): Promise<VaultRequest | undefined> {
  const [row] = await tx
    .update(vaultRequests)
    .set(
      proof
        ? { verification: "verified", newsId: proof.newsId, closedBy: proof.by }
        : { verification: "unverified" },
    )
    // If it was marked as paid again meanwhile, another search is pending.
    .where(
      and(eq(id, marked.id), waiting, marked.closedAt ? eq(closedAt, marked.closedAt) : undefined),
    )
    .returning(record);
  return row;
}
