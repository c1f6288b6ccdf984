import type { Queryable } from "#db/client";
import type { Context, NewNotice } from "#server/context";
import { findTeam } from "../store";
import type { ApplicationRight } from "./rights";

/** Notifies all members with the right. */
export async function notifyTeam(
  ctx: Context,
  tx: Queryable,
  of: { readonly clientId: string; readonly right: ApplicationRight },
  notice: (application: string) => Omit<NewNotice, "accountId">,
): Promise<void> {
  const team = await findTeam(tx, of.clientId, of.right);
  if (!team) return;
  const said = notice(team.name);
  await ctx.notify(
    tx,
    team.accountIds.map((accountId) => ({ accountId, ...said })),
  );
}
