import { z } from "zod";
import { auditedActs, EventId } from "#server/audit/audit";
import { text } from "#server/platform/input-schemas";

const longestReason = 300;
const longestSearch = 100;
/** Nobody pages further than this by hand; a search finds the rest. */
const lastPage = 1_000;

// Overrides of the writing direction would turn round the words around them; line breaks have no place in a sentence.
const unfit = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

/** Why an admin cuts somebody off, in words that the one who is cut off will read. */
export const Reason = z
  .string({ error: "A reason is needed." })
  .trim()
  .min(1, "Enter a reason: the player or developer concerned will read it.")
  .max(longestReason, `The reason can have at most ${longestReason} characters.`)
  .refine(
    (text) => !unfit.test(text),
    "The reason cannot contain line breaks or control characters.",
  );

/** The search text of a list: a name or a part of it, or a whole id. */
const Search = text(longestSearch).trim().optional();
const Page = z.number().int().min(1).max(lastPage).default(1);

export const ApplicationSearch = z.object({
  search: Search,
  state: z.enum(["any", "verified", "unverified", "suspended"]).default("any"),
  page: Page,
});
export type ApplicationSearch = z.output<typeof ApplicationSearch>;

export const AccountSearch = z.object({
  search: Search,
  state: z.enum(["any", "banned"]).default("any"),
  page: Page,
});
export type AccountSearch = z.output<typeof AccountSearch>;

/** The filter of the audit log: events that fit all that is given. */
export const AuditSearch = z.object({
  act: z.enum(Object.keys(auditedActs) as [keyof typeof auditedActs]).optional(),
  /** A player's number in the game, or an account's id. */
  account: Search,
  clientId: Search,
  /** The id of the event before which the page begins. */
  before: EventId.optional(),
});
export type AuditSearch = z.output<typeof AuditSearch>;

/** Of which days events are written out, up to so many of them. */
export const exportDays = [1, 7, 30, 90] as const;
export const mostExported = 10_000;
export const AuditExport = AuditSearch.omit({ before: true }).extend({
  days: z.literal(exportDays),
});
export type AuditExport = z.output<typeof AuditExport>;

/** One page of a list, and whether another follows. */
export interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

const pageLength = 50;

/**
 * Reads one page of a list that is ordered by time.
 * @param page counted from 1
 * @param read gives the rows of this window
 */
export async function readNumberedPage<Row>(
  page: number,
  read: (window: { readonly limit: number; readonly offset: number }) => Promise<readonly Row[]>,
): Promise<PageOf<Row>> {
  const rows = await read({ limit: pageLength + 1, offset: (page - 1) * pageLength });
  return { rows: rows.slice(0, pageLength), more: rows.length > pageLength };
}
