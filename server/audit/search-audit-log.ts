import type { Context } from "#server/context";
import type { AuditedAct } from "./audit";
import { type EventPage, readEventPage } from "./read-event-page";
import { findAccountOfPlayer } from "./store";

/** What an admin looks for; all that is given must fit. */
export interface AuditWish {
  readonly act?: AuditedAct | undefined;
  /** A player's number in the game, or an account's id. */
  readonly account?: string | undefined;
  readonly clientId?: string | undefined;
  /** Only events older than the one with this id. */
  readonly before?: string | undefined;
}

const accountForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const nothing: EventPage = { events: [], next: null };

/** The audit log, newest first. An account or application that nobody knows has no events. */
export async function searchAuditLog(ctx: Context, wish: AuditWish): Promise<EventPage> {
  const { act, account, clientId, before } = wish;
  const accountId = account ? await accountOf(ctx, account) : undefined;
  if (account && !accountId) return nothing;
  return readEventPage(ctx, {
    act,
    accountId,
    clientId: clientId || undefined,
    before: before === undefined ? undefined : BigInt(before),
  });
}

async function accountOf(ctx: Context, text: string): Promise<string | undefined> {
  if (/^\d{1,9}$/.test(text)) return findAccountOfPlayer(ctx.database.query, Number(text));
  return accountForm.test(text) ? text : undefined;
}
