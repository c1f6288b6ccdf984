import { and, eq, ne } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";

/** A player who signed in here. */
export interface Account {
  readonly accountId: string;
  readonly playerId: number;
  readonly bannedAt: Date | null;
  /** Whether the player lets their keys read public data for everybody. */
  readonly lendsKey: boolean;
  /** Whether scores of opponents may be derived from the player's fights. */
  readonly sharesOpponentStats: boolean;
}

const columns = {
  accountId: accounts.id,
  playerId: accounts.playerId,
  bannedAt: accounts.bannedAt,
  lendsKey: accounts.lendsKey,
  sharesOpponentStats: accounts.sharesOpponentStats,
};

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

/** Whether the player's keys read public data for everybody from now on. @returns false where it was so already */
export async function setKeyLending(on: Queryable, accountId: string, lendsKey: boolean): Promise<boolean> {
  const changed = await on
    .update(accounts)
    .set({ lendsKey })
    .where(and(eq(accounts.id, accountId), ne(accounts.lendsKey, lendsKey)))
    .returning({ id: accounts.id });
  return changed.length > 0;
}

/** Whether scores of opponents may be derived from the player's fights from now on. @returns false where it was so already */
export async function setFightSharing(
  on: Queryable,
  accountId: string,
  sharesOpponentStats: boolean,
): Promise<boolean> {
  const changed = await on
    .update(accounts)
    .set({ sharesOpponentStats })
    .where(and(eq(accounts.id, accountId), ne(accounts.sharesOpponentStats, sharesOpponentStats)))
    .returning({ id: accounts.id });
  return changed.length > 0;
}
