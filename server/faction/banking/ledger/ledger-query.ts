import { z } from "zod";
import { dayMs } from "#server/platform/durations";
import { PlayerId } from "#server/rest/shapes";

/** How far a ledger reaches back, in days of UTC, today included. */
export const ledgerDays = [7, 30, 90, 365] as const;
export const usualLedgerDays = 30;

/** Which closed requests are asked for. */
export const LedgerQuery = z.object({
  days: z.literal(ledgerDays),
  /** Only this member's. For who is no banker it is their own in any case. */
  member: PlayerId.nullable(),
  /** Only payments that the vault's news does not show. */
  unseenOnly: z.boolean(),
  /** Where this page of the list begins, as the page before named it. */
  after: z.string().max(60).nullable(),
});
export type LedgerQuery = z.output<typeof LedgerQuery>;

/** The days of a ledger, the oldest first, each by its first moment in UTC. */
export function daysOf(days: number, now: Date): Date[] {
  const today = Math.floor(now.getTime() / dayMs);
  return Array.from({ length: days }, (_, index) => new Date((today - days + 1 + index) * dayMs));
}
