import { formatCompact, formatNumber, formatShortDay } from "#app/_lib/format";
import { timePlot } from "#app/_lib/time-plot";
import { Card } from "#app/_ui/card.tsx";
import { type Column, DataTable } from "#app/_ui/data-table.tsx";
import { Plot } from "#app/_ui/plot.tsx";
import { ShowAsTable } from "#app/_ui/show-as-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { Ledger, PlayerTotal } from "#server/faction/banking/ledger";

type Props = {
  title: string;
  totals: readonly PlayerTotal[];
  /** Undefined: names are not links. */
  hrefOf?: (playerId: number) => string;
};

/** The rest is folded. */
const mostShown = 10;

export function Totals({ title, totals, hrefOf }: Props) {
  const [shown, folded] = [totals.slice(0, mostShown), totals.slice(mostShown)];
  const table = (rows: readonly PlayerTotal[], caption: string) => (
    <DataTable
      caption={caption}
      rows={rows}
      rowKey={({ player }) => player.playerId}
      columns={columnsOf(hrefOf)}
      empty={<p className="px-4 py-5 text-sm text-ink-soft sm:px-5">No payments in this period.</p>}
    />
  );
  return (
    <Card title={title} flush>
      {table(shown, title)}
      {folded.length > 0 && (
        <details className="border-t border-line">
          <summary className="cursor-pointer px-4 py-3 text-sm font-medium sm:px-5">
            {formatNumber(folded.length)} more
          </summary>
          {table(folded, `${title}, continued`)}
        </details>
      )}
    </Card>
  );
}

const columnsOf = (hrefOf: Props["hrefOf"]): Column<PlayerTotal>[] => [
  {
    header: "Player",
    primary: true,
    cell: ({ player: { playerId, name } }) => (
      <>
        {hrefOf ? (
          <TextLink href={hrefOf(playerId)} className="font-medium">
            {name}
          </TextLink>
        ) : (
          <span className="font-medium">{name}</span>
        )}{" "}
        <span className="tabular text-ink-faint">[{playerId}]</span>
      </>
    ),
  },
  { header: "Payments", numeric: true, cell: ({ payments }) => formatNumber(payments) },
  { header: "Money", numeric: true, cell: ({ money }) => formatAmount(money, "money_balance") },
  { header: "Points", numeric: true, cell: ({ points }) => formatNumber(points) },
  { header: "Not found", numeric: true, cell: ({ unseen }) => formatNumber(unseen) },
];

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

type PaidByDayProps = { kind: keyof typeof kinds; byDay: Ledger["byDay"] };

/** In UTC. */
export function PaidByDay({ kind, byDay }: PaidByDayProps) {
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
      <ShowAsTable className="border-t border-line">
        <DataTable
          caption={title}
          rows={[...paid].reverse()}
          rowKey={({ at }) => at.getTime()}
          columns={[
            { header: "Day (TCT)", primary: true, cell: ({ at }) => formatShortDay(at) },
            { header: "Paid", numeric: true, cell: ({ value }) => formatNumber(value) },
          ]}
        />
      </ShowAsTable>
    </Card>
  );
}
