import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";

/** A player who signed in here. */
export interface Account {
  readonly accountId: string;
  readonly playerId: number;
  readonly bannedAt: Date | null;
}

const columns = { accountId: accounts.id, playerId: accounts.playerId, bannedAt: accounts.bannedAt };

export async function findAccount(on: Queryable, accountId: string): Promise<Account | undefined> {
  const [row] = await on.select(columns).from(accounts).where(eq(accounts.id, accountId));
  return row;
}

/** The player's account; the first time it is made, under the id given. The player must be stored. */
export async function ensureAccount(
  on: Queryable,
  made: { id: string; playerId: number; createdAt: Date },
): Promise<Account> {
  await on.insert(accounts).values(made).onConflictDoNothing({ target: accounts.playerId });
  const [row] = await on.select(columns).from(accounts).where(eq(accounts.playerId, made.playerId));
  if (!row) throw new Error(`The account of player ${made.playerId} vanished while it was made.`);
  return row;
}

/** The player lets their key read public data for everybody. */
export async function lendKey(on: Queryable, accountId: string): Promise<void> {
  await on.update(accounts).set({ lendsKey: true }).where(eq(accounts.id, accountId));
}
