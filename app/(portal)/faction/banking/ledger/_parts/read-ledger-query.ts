import { pathWith } from "#app/_ui/path-with";
import {
  type LedgerQuery,
  ledgerDayChoices,
  usualLedgerDays,
} from "#server/faction/banking/ledger";

export const ledgerPath = "/faction/banking/ledger";

export const ledgerQueryFields = ["days", "member", "payments", "after"] as const;

type Sent = Readonly<Partial<Record<(typeof ledgerQueryFields)[number], string | undefined>>>;

/** Unknown values count as absent. */
export function readLedgerQuery({ days: range, member: id = "", payments, after = "" }: Sent) {
  const days = ledgerDayChoices.find((known) => String(known) === range) ?? usualLedgerDays;
  const member = /^[1-9]\d{0,8}$/.test(id) ? Number(id) : null;
  const unseenOnly = payments === "unseen";
  const query: LedgerQuery = { days, member, unseenOnly, after: after.slice(0, 60) || null };
  /** Address of the filtered ledger's first page, for one member or all. */
  const addressFor = (of: number | null) =>
    pathWith(ledgerPath, {
      ...(days !== usualLedgerDays && { days: String(days) }),
      ...(of !== null && { member: String(of) }),
      ...(unseenOnly && { payments: "unseen" }),
    });
  return { query, addressFor };
}
