import { pathWith } from "#app/_ui/path-with";
import { type LedgerQuery, ledgerDays, usualLedgerDays } from "#server/faction/banking/ledger";

export const ledgerPage = "/faction/banking/ledger";

interface ReadQuery {
  readonly query: LedgerQuery;
  /** The filtered page at its newest request, for one member or all. */
  readonly addressFor: (member: number | null) => string;
}

/** Unknown values count as absent. */
export function readLedgerQuery(
  sent: Readonly<Record<string, string | string[] | undefined>>,
): ReadQuery {
  const read = (name: string) => {
    const value = sent[name];
    return typeof value === "string" ? value : "";
  };
  const days = ledgerDays.find((known) => String(known) === read("days")) ?? usualLedgerDays;
  const member = /^[1-9]\d{0,8}$/.test(read("member")) ? Number(read("member")) : null;
  const unseenOnly = read("payments") === "unseen";
  const after = read("after").slice(0, 60) || null;
  const addressFor = (of: number | null) =>
    pathWith(ledgerPage, {
      ...(days !== usualLedgerDays && { days: String(days) }),
      ...(of !== null && { member: String(of) }),
      ...(unseenOnly && { payments: "unseen" }),
    });
  return { query: { days, member, unseenOnly, after }, addressFor };
}
