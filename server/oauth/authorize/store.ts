import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { authorizationRequests } from "#db/schema/oauth";
import { first, hasRows } from "#db/select";

export type PendingAuthorization = typeof authorizationRequests.$inferSelect;

export async function insertAuthorization(
  on: Queryable,
  request: PendingAuthorization,
): Promise<void> {
  await on.insert(authorizationRequests).values(request);
}

export const findAuthorizationRequest = (on: Queryable, id: string) =>
  first(on.select().from(authorizationRequests).where(eq(authorizationRequests.id, id)));

/** @returns false if another account was bound before */
export const bindRequest = (
  on: Queryable,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<boolean> =>
  hasRows(
    on
      .update(authorizationRequests)
      .set({ accountId })
      .where(
        and(
          eq(authorizationRequests.id, id),
          or(
            isNull(authorizationRequests.accountId),
            eq(authorizationRequests.accountId, accountId),
          ),
        ),
      )
      .returning({ id: authorizationRequests.id }),
  );

export async function keepAnswer(tx: Queryable, id: string, sealedAnswer: string): Promise<void> {
  await tx
    .update(authorizationRequests)
    .set({ sealedAnswer })
    .where(eq(authorizationRequests.id, id));
}

/** Only one of two concurrent decisions gets true. */
export const closeAuthorization = (tx: Queryable, id: string, now: Date): Promise<boolean> =>
  hasRows(
    tx
      .update(authorizationRequests)
      .set({ decidedAt: now })
      .where(
        and(
          eq(authorizationRequests.id, id),
          isNull(authorizationRequests.decidedAt),
          gt(authorizationRequests.expiresAt, now),
        ),
      )
      .returning({ id: authorizationRequests.id }),
  );
