import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { nameEvents } from "./named-event";
import { asOwnerSees, type OwnEvent } from "./own-event";
import { readEventPage } from "./read-event-page";
import { listAuditEvents } from "./store";

/** What applications do all day in a player's name. It stands in the log, and would bury what the player did. */
const routine = ["code-issued", "tokens-issued", "tokens-refreshed", "token-request-failed"] as const;

/** One page of the owner's history, newest first. */
export interface OwnHistory {
  readonly events: readonly OwnEvent[];
  /** What the next page is asked with; null on the last. */
  readonly next: string | null;
}

/** What happened to the user's own sign-ins, keys, applications and consents, newest first. */
export async function listOwnHistory(ctx: Context, user: PortalUser, before: string | undefined): Promise<OwnHistory> {
  const { accountId } = user;
  const { events, next } = await readEventPage(ctx, {
    accountId,
    without: routine,
    before: before === undefined ? undefined : BigInt(before),
  });
  return { events: events.map((event) => asOwnerSees(event, accountId)), next };
}

/** The newest events of the user's account, routine ones too, for the export. */
export async function listOwnEvents(ctx: Context, user: PortalUser, limit: number): Promise<OwnEvent[]> {
  const { accountId } = user;
  const on = ctx.database.query;
  const events = await nameEvents(on, await listAuditEvents(on, { accountId }, limit));
  return events.map((event) => asOwnerSees(event, accountId));
}
