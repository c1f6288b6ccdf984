import type { Context } from "../../context";
import type { Tally } from "../../tally";
import { countLiveGrants } from "./live-grants/store";

/** How many live grants, which are devices, each of these applications has. Whoever asks may see them. */
export async function countDevices(ctx: Context, clientIds: readonly string[]): Promise<ReadonlyMap<string, Tally>> {
  const counts = await countLiveGrants(ctx.database.query, clientIds, ctx.now());
  return new Map([...counts].map(([clientId, { grants }]) => [clientId, grants]));
}
