import { and, asc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { applicationTesters } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import type { NamedPlayer } from "#server/users/player";
import type { MemberKey } from "./members-store";

export interface TestPlayer extends NamedPlayer {
  readonly addedAt: Date;
}

export const listTesters = (on: Queryable, clientId: string): Promise<TestPlayer[]> =>
  on
    .select({ playerId: players.id, name: players.name, addedAt: applicationTesters.addedAt })
    .from(applicationTesters)
    .innerJoin(accounts, eq(accounts.id, applicationTesters.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(eq(applicationTesters.clientId, clientId))
    .orderBy(asc(applicationTesters.addedAt), asc(players.id));

export async function findTester(
  on: Queryable,
  { clientId, playerId }: { readonly clientId: string; readonly playerId: number },
): Promise<{ readonly accountId: string } | undefined> {
  const [row] = await on
    .select({ accountId: applicationTesters.accountId })
    .from(applicationTesters)
    .innerJoin(accounts, eq(accounts.id, applicationTesters.accountId))
    .where(and(eq(applicationTesters.clientId, clientId), eq(accounts.playerId, playerId)));
  return row;
}

export async function insertTester(
  tx: Queryable,
  tester: typeof applicationTesters.$inferInsert,
): Promise<void> {
  await tx.insert(applicationTesters).values(tester);
}

/** @returns false without such a test player */
export async function deleteTester(
  tx: Queryable,
  { clientId, accountId }: MemberKey,
): Promise<boolean> {
  const deleted = await tx
    .delete(applicationTesters)
    .where(
      and(eq(applicationTesters.clientId, clientId), eq(applicationTesters.accountId, accountId)),
    )
    .returning({ accountId: applicationTesters.accountId });
  return deleted.length > 0;
}

export async function deleteTesters(tx: Queryable, clientId: string): Promise<void> {
  await tx.delete(applicationTesters).where(eq(applicationTesters.clientId, clientId));
}
