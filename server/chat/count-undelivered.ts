import type { Context } from "#server/context";
import * as store from "./store";

/** Messages that are not in the chat as they should be. */
export interface Undelivered {
  readonly waiting: number;
  /** The chat refused them for good; the newest wish of each stays undone. */
  readonly givenUp: number;
}

export const countUndelivered = (ctx: Context): Promise<Undelivered> => store.countUndelivered(ctx.database.query);
