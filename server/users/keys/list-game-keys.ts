import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { type KeyCard, listKeyCards } from "./store";

export type { KeyCard };

/** The user's stored game keys, newest first. Of a key itself only the last four characters are ever shown. */
export const listGameKeys = (ctx: Context, user: PortalUser): Promise<KeyCard[]> =>
  listKeyCards(ctx.database.query, user.accountId);
