import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError, UnknownUser } from "#server/failures";
import { resumeApplicationsOf } from "../applications/store";
import { bannedDeveloper } from "./banned-developer";
import { lockAccount, markAccount } from "./store";

/**
 * Lifts a ban: the player can sign in, what they had allowed is alive again, and so are their applications that were
 * suspended by the ban. One that was suspended for a reason of its own stays so.
 * @throws UnknownUser · GeneralError when the account is not banned
 */
export async function unbanAccount(
  ctx: Context,
  admin: PortalUser,
  { accountId }: { readonly accountId: string },
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (!account) throw UnknownUser.because({ message: "There is no such account." });
    const { bannedAt } = account;
    if (!bannedAt) throw GeneralError.because({ message: "The account is not banned." });

    const actor = `account:${admin.accountId}`;
    await markAccount(tx, accountId, { bannedAt: null, bannedFor: null });
    const mark = { suspendedAt: bannedAt, suspendedFor: bannedDeveloper };
    const resumed = await resumeApplicationsOf(tx, accountId, mark);
    const details = { player: account.playerId, applications: resumed.length };
    await ctx.audit(tx, { act: "account-unbanned", actor, accountId, origin, details });
    for (const { clientId, name } of resumed) {
      await ctx.audit(tx, { act: "application-resumed", actor, accountId, clientId, origin, details: { name } });
      await ctx.announceRevocation(tx, { clientId });
    }
    const names = resumed.map(({ name }) => `"${name}"`).join(", ");
    await ctx.notify(tx, accountId, {
      kind: "account-unbanned",
      text: `Your account was banned, and the ban is lifted: all works again as before.${names ? ` So do your applications: ${names}.` : ""}`,
    });
    await ctx.announceRevocation(tx, { accountId });
  });
}
