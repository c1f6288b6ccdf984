import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { type EventPage, readEventPage } from "./read-event-page";

/** What applications do all day in a player's name. It stands in the log, and would bury what the player did. */
const routine = ["code-issued", "tokens-issued", "tokens-refreshed", "token-request-failed"] as const;

/** What happened to the user's own sign-ins, keys, applications and consents, newest first. */
export const listOwnHistory = (ctx: Context, user: PortalUser, before: string | undefined): Promise<EventPage> =>
  readEventPage(ctx, {
    accountId: user.accountId,
    without: routine,
    before: before === undefined ? undefined : BigInt(before),
  });
