import type { Queryable } from "#db/client";
import type { Context, NewNotice } from "#server/context";
import { hasNotice } from "#server/notices/notices";
import { findTeamAccounts } from "../store";
import type { ApplicationRight } from "./rights";

/**
 * @param of.quietMs drops the notice if the owner got one of this kind and page within this time
 * @returns false if the notice was dropped
 */
export async function notifyTeam(
  ctx: Context,
  tx: Queryable,
  of: {
    readonly clientId: string;
    readonly right: ApplicationRight;
    readonly quietMs?: number;
  },
  notice: (application: string) => Omit<NewNotice, "accountId">,
): Promise<boolean> {
  const team = await findTeamAccounts(tx, of.clientId, of.right);
  if (!team) return false;
  const { accountIds } = team;
  const said = notice(team.name);
  if (of.quietMs !== undefined) {
    const [accountId = ""] = accountIds;
    const since = new Date(ctx.now().getTime() - of.quietMs);
    if (await hasNotice(tx, { ...said, accountId, since })) return false;
  }
  await ctx.notify(
    tx,
    accountIds.map((accountId) => ({ accountId, ...said })),
  );
  return true;
}
