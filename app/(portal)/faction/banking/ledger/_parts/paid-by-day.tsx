import { formatCompact, formatNumber, formatShortDay } from "#app/_lib/format";
import { timePlot } from "#app/_lib/time-plot";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { Plot } from "#app/_ui/plot.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { Ledger } from "#server/faction/banking/ledger/show-ledger";

const kinds = {
  money: {
    title: "Money paid by day",
    write: (amount: number) => formatAmount(amount, "money_balance"),
    tick: (amount: number) => `$${formatCompact(amount)}`,
  },
  points: {
    title: "Points paid by day",
    write: (amount: number) => formatAmount(amount, "points_balance"),
    tick: (amount: number) => formatCompact(amount),
  },
} as const;

type Props = { kind: keyof typeof kinds; byDay: Ledger["byDay"] };

/** What was paid of one currency on each day of the period, in UTC. */
export function PaidByDay({ kind, byDay }: Props) {
  const { title, write, tick } = kinds[kind];
  const values = byDay.map((one) => ({ at: one.at, value: one[kind] }));
  const paid = values.filter(({ value }) => value > 0);
  if (paid.length === 0) return null;
  const plot = timePlot(values, { value: write, tick, from: 0, name: formatShortDay });
  return (
    <Card title={title} flush>
      <div className="px-4 py-4 sm:px-5">
        <Plot title={title} as="bars" {...plot} />
      </div>
      <details className="border-t border-line">
        <summary className="cursor-pointer px-4 py-3 text-sm font-medium sm:px-5">In figures</summary>
        <DataTable
          caption={title}
          rows={[...paid].reverse()}
          rowKey={({ at }) => at.getTime()}
          columns={[
            { key: "day", header: "Day (UTC)", primary: true, cell: ({ at }) => formatShortDay(at) },
            { key: "paid", header: "Paid", numeric: true, cell: ({ value }) => formatNumber(value) },
          ]}
        />
      </details>
    </Card>
  );
}
