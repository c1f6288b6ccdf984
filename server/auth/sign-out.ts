import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { closeSession, readSession } from "./sessions";

/** Ends the session of this token, for good and on every instance. Without a live session nothing happens. */
export async function signOut(ctx: Context, token: string | null, origin: Origin): Promise<void> {
  const user = await readSession(ctx, token);
  if (!user || token === null) return;
  await ctx.database.transaction(async (tx) => {
    await closeSession(ctx, tx, token);
    await ctx.audit(tx, {
      act: "sign-out",
      actor: `account:${user.accountId}`,
      accountId: user.accountId,
      origin,
    });
  });
}
