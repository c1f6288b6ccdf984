import { and, eq, ne } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, switches } from "#db/schema/accounts";

export type SwitchName = keyof typeof switches;

/** Creates the account if missing, with the given id. The player must be stored. */
export async function ensureAccount(
  on: Queryable,
  made: { id: string; playerId: number; createdAt: Date },
): Promise<{ accountId: string; bannedAt: Date | null }> {
  await on.insert(accounts).values(made).onConflictDoNothing({ target: accounts.playerId });
  const [row] = await on
    .select({ accountId: accounts.id, bannedAt: accounts.bannedAt })
    .from(accounts)
    .where(eq(accounts.playerId, made.playerId));
  if (!row) throw new Error(`The account of player ${made.playerId} vanished while it was made.`);
  return row;
}

export async function findSwitches(
  on: Queryable,
  accountId: string,
): Promise<Record<SwitchName, boolean> | undefined> {
  const [row] = await on.select(switches).from(accounts).where(eq(accounts.id, accountId));
  return row;
}

export async function setSwitch(
  on: Queryable,
  accountId: string,
  { name, value }: { name: SwitchName; value: boolean },
): Promise<boolean> {
  const changed = await on
    .update(accounts)
    .set({ [name]: value })
    .where(and(eq(accounts.id, accountId), ne(switches[name], value)))
    .returning({ id: accounts.id });
  return changed.length > 0;
}
