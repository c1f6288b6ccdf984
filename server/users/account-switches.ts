import { z } from "zod";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { findSwitches, type SwitchName, setSwitch, switchActs } from "./accounts-store";

export const AccountSwitch = z.enum(Object.keys(switchActs) as SwitchName[]);
export type AccountSwitch = z.output<typeof AccountSwitch>;

export async function showSwitches(ctx: Context, user: PortalUser): Promise<AccountSwitch[]> {
  const found = await findSwitches(ctx.database.query, user.accountId);
  return AccountSwitch.options.filter((name) => found?.[name]);
}

/** Idempotent; a repeat is not audited. */
export async function turnSwitch(
  ctx: Context,
  { accountId }: PortalUser,
  {
    name,
    on,
    origin,
  }: { readonly name: AccountSwitch; readonly on: boolean; readonly origin: Origin },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    if (!(await setSwitch(tx, accountId, { name, value: on }))) return;
    const { act, detail } = switchActs[name];
    await ctx.audit(tx, {
      act,
      actor: `account:${accountId}`,
      accountId,
      origin,
      details: { [detail]: on },
    });
  });
}
