import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { authorizationRequests } from "#db/schema/oauth";
import { knownScopes } from "../scope-list";
import type { PendingAuthorization } from "./authorization-request";

export async function insertAuthorization(
  on: Queryable,
  request: PendingAuthorization,
): Promise<void> {
  await on.insert(authorizationRequests).values({ ...request, scopes: [...request.scopes] });
}

export async function findAuthorizationRequest(
  on: Queryable,
  id: string,
): Promise<PendingAuthorization | undefined> {
  const [row] = await on
    .select()
    .from(authorizationRequests)
    .where(eq(authorizationRequests.id, id));
  return row && { ...row, scopes: knownScopes(row.scopes) };
}

/** @returns false if another account was bound before */
export async function bindRequest(
  on: Queryable,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<boolean> {
  const bound = await on
    .update(authorizationRequests)
    .set({ accountId })
    .where(
      and(
        eq(authorizationRequests.id, id),
        or(isNull(authorizationRequests.accountId), eq(authorizationRequests.accountId, accountId)),
      ),
    )
    .returning({ id: authorizationRequests.id });
  return bound.length > 0;
}

export async function keepAnswer(tx: Queryable, id: string, sealedAnswer: string): Promise<void> {
  await tx
    .update(authorizationRequests)
    .set({ sealedAnswer })
    .where(eq(authorizationRequests.id, id));
}

/** Of two concurrent decisions, one gets true. */
export async function closeAuthorization(tx: Queryable, id: string, now: Date): Promise<boolean> {
  const closed = await tx
    .update(authorizationRequests)
    .set({ decidedAt: now })
    .where(
      and(
        eq(authorizationRequests.id, id),
        isNull(authorizationRequests.decidedAt),
        gt(authorizationRequests.expiresAt, now),
      ),
    )
    .returning({ id: authorizationRequests.id });
  return closed.length > 0;
}
