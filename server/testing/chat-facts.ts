import { eq } from "drizzle-orm";
import { accounts, chatIdentities, notices, proofs } from "#db/schema/accounts";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import type { Context } from "#server/context";

export function chatFacts(ctx: Context) {
  const { query } = ctx.database;
  return {
    linkOf: async (accountId: string): Promise<bigint | undefined> =>
      (await query.select().from(chatIdentities).where(eq(chatIdentities.accountId, accountId)))[0]
        ?.chatId,
    eventsOf: (accountId: string) =>
      query.select().from(auditLog).where(eq(auditLog.accountId, accountId)),
    noticesOf: async (accountId: string): Promise<string[]> =>
      (await query.select().from(notices).where(eq(notices.accountId, accountId))).map(
        ({ kind }) => kind,
      ),
    started: () => query.select().from(proofs).where(eq(proofs.kind, "chat-sign-in")),
    ban: async (accountId: string) => {
      await query.update(accounts).set({ bannedAt: ctx.now() }).where(eq(accounts.id, accountId));
    },
    gameSays: async (playerId: number, chatId: bigint) => {
      await query.update(players).set({ chatId }).where(eq(players.id, playerId));
    },
  };
}
