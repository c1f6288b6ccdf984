import type { Context } from "#server/context";
import { type NamedEvent, nameEvents } from "./named-event";
import { type AuditFilter, listAuditEvents } from "./store";

/** One page of events, newest first. */
export interface EventPage {
  readonly events: readonly NamedEvent[];
  /** What the next page is asked with; null on the last. */
  readonly next: string | null;
}

const pageLength = 50;

/** Reads one page of the events that fit. */
export async function readEventPage(ctx: Context, filter: AuditFilter): Promise<EventPage> {
  const found = await listAuditEvents(ctx.database.query, filter, pageLength + 1);
  const shown = found.slice(0, pageLength);
  const last = shown.at(-1);
  return {
    events: await nameEvents(ctx.database.query, shown),
    next: found.length > pageLength && last ? String(last.id) : null,
  };
}
