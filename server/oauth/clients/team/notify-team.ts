import type { Queryable } from "#db/client";
import type { Context, NewNotice } from "#server/context";
import { hasNotice } from "#server/notices/notices";
import { findTeam } from "../store";
import type { ApplicationRight } from "./rights";

/**
 * Notifies all members with the right.
 * @param of.quietMs drops a notice if the owner got one of this kind and page in this time: others
 * cause it, and each may send a message
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
): Promise<void> {
  const team = await findTeam(tx, of.clientId, of.right);
  if (!team) return;
  const said = notice(team.name);
  const { kind, path: page = "" } = said;
  const [accountId = ""] = team.accountIds;
  const since = new Date(ctx.now().getTime() - (of.quietMs ?? 0));
  if (of.quietMs !== undefined && (await hasNotice(tx, { accountId, kind, page, since }))) return;
  await ctx.notify(
    tx,
    team.accountIds.map((accountId) => ({ accountId, ...said })),
  );
}
