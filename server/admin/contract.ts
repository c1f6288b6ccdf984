import { z } from "zod";
import { AuditEventId, auditedActs } from "#server/audit/audit";
import { text } from "#server/platform/input-schemas";

const longestReason = 300;
const longestSearch = 100;
/** Rows after the last page are found by a search. */
const lastPage = 1_000;

// Direction overrides could reverse the text around them, and a reason is one line.
const unfit = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

export const Reason = z
  .string({ error: "A reason is needed." })
  .trim()
  .min(1, "Enter a reason.")
  .max(longestReason, `The reason can have at most ${longestReason} characters.`)
  .refine(
    (text) => !unfit.test(text),
    "The reason cannot contain line breaks or control characters.",
  );

const Search = text(longestSearch).trim().optional();
export const PageNumber = z.number().int().min(1).max(lastPage).default(1);

export const ApplicationSearch = z.object({
  search: Search,
  state: z.enum(["any", "verified", "unverified", "requested", "suspended"]).default("any"),
  page: PageNumber,
});
export type ApplicationSearch = z.output<typeof ApplicationSearch>;

export const AccountSearch = z.object({
  search: Search,
  state: z.enum(["any", "banned"]).default("any"),
  page: PageNumber,
});
export type AccountSearch = z.output<typeof AccountSearch>;

export const AuditSearch = z.object({
  act: z.enum(auditedActs).optional(),
  /** A player's number in the game, or an account's id. */
  account: Search,
  clientId: Search,
  /** Words, the beginning of a name, a request id or an address. */
  search: Search,
  since: z.date().optional(),
  until: z.date().optional(),
  /** Cursor: only older events. */
  before: AuditEventId.optional(),
});
export type AuditSearch = z.output<typeof AuditSearch>;

export const exportDayChoices = [1, 7, 30, 90] as const;
export const maxExportedEvents = 10_000;
export const AuditExport = AuditSearch.omit({ before: true }).extend({
  days: z.literal(exportDayChoices),
});
export type AuditExport = z.output<typeof AuditExport>;

export interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

const pageLength = 50;

/** @param page counted from 1 */
export async function readNumberedPage<Row>(
  page: number,
  read: (window: { readonly limit: number; readonly offset: number }) => Promise<readonly Row[]>,
): Promise<PageOf<Row>> {
  const rows = await read({ limit: pageLength + 1, offset: (page - 1) * pageLength });
  return { rows: rows.slice(0, pageLength), more: rows.length > pageLength };
}
