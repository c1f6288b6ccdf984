import type { Context } from "../../context";
import type { Tally } from "../../tally";
import { countUsers } from "./figures/store";

/** How many players have a live consent to each of these applications; at `most` counting stops. Whoever asks may see it. */
export const countPlayers = (
  ctx: Context,
  asked: { readonly clientIds: readonly string[]; readonly most: number },
): Promise<ReadonlyMap<string, Tally>> => countUsers(ctx.database.query, asked, ctx.now());
