import { eq } from "drizzle-orm";
import { accounts, chatIdentities, chatSignIns, notices } from "#db/schema/accounts";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import type { Context } from "#server/context";

/** What is stored about chat accounts, for tests that look behind the doors, and what no door of ours changes. */
export function chatFacts(ctx: Context) {
  const { query } = ctx.database;
  return {
    /** The number of the chat account that is linked, if one is. */
    linkOf: async (accountId: string): Promise<bigint | undefined> =>
      (await query.select().from(chatIdentities).where(eq(chatIdentities.accountId, accountId)))[0]
        ?.chatId,
    eventsOf: (accountId: string) =>
      query.select().from(auditLog).where(eq(auditLog.accountId, accountId)),
    noticesOf: async (accountId: string): Promise<string[]> =>
      (await query.select().from(notices).where(eq(notices.accountId, accountId))).map(
        ({ kind }) => kind,
      ),
    /** All sign-ins that were started, as they stand in the table. */
    started: () => query.select().from(chatSignIns),
    ban: async (accountId: string) => {
      await query.update(accounts).set({ bannedAt: ctx.now() }).where(eq(accounts.id, accountId));
    },
    /** Links the chat account in the game. */
    gameSays: async (playerId: number, chatId: bigint) => {
      await query.update(players).set({ chatId }).where(eq(players.id, playerId));
    },
  };
}
