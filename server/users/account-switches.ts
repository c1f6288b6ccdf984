import { z } from "zod";
import type { PortalUser } from "#server/actor";
import type { AuditedAct } from "#server/audit/audit";
import type { Context } from "#server/context";
import { findAccountSwitches, type SwitchName, setAccountSwitch } from "./store";

const switchActs = {
  lendsKey: "key_lending.changed",
  sharesOpponentStats: "fight_sharing.changed",
} as const satisfies Record<SwitchName, AuditedAct>;

export const AccountSwitch = z.enum(Object.keys(switchActs) as SwitchName[]);
export type AccountSwitch = z.output<typeof AccountSwitch>;

export async function showSwitches(ctx: Context, user: PortalUser): Promise<AccountSwitch[]> {
  const found = await findAccountSwitches(ctx.database, user.accountId);
  return AccountSwitch.options.filter((name) => found?.[name]);
}

/** Idempotent; a repeat is not audited. */
export async function turnSwitch(
  ctx: Context,
  by: PortalUser,
  { name, on }: { name: AccountSwitch; on: boolean },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    if (!(await setAccountSwitch(tx, by.accountId, { name, value: on }))) return;
    const [before, after] = [{ [name]: !on }, { [name]: on }];
    await ctx.audit(tx, by, switchActs[name], { before, after });
  });
}
