import { formatNumber } from "#app/_lib/format";
import { Card } from "#app/_ui/card.tsx";
import { type Column, DataTable } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { PlayerTotal } from "#server/faction/banking/ledger/show-ledger";

type Props = {
  title: string;
  totals: readonly PlayerTotal[];
  /** Where a name leads, if anywhere. */
  hrefOf?: (playerId: number) => string;
};

/** So many are shown at once; the rest unfolds. */
const mostShown = 10;

/** What was paid by, or to, each of some players. */
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
    key: "who",
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
  { key: "payments", header: "Payments", numeric: true, cell: ({ payments }) => formatNumber(payments) },
  { key: "money", header: "Money", numeric: true, cell: ({ money }) => formatAmount(money, "money_balance") },
  { key: "points", header: "Points", numeric: true, cell: ({ points }) => formatNumber(points) },
  { key: "unseen", header: "Not found", numeric: true, cell: ({ unseen }) => formatNumber(unseen) },
];
