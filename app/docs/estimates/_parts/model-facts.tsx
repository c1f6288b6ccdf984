import { formatNumber, formatShare } from "#app/_lib/format";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { ModelCard } from "#server/stats/estimates/model/model-card";

const number = (value: number) => formatNumber(Math.round(value));

/** What the model in force learned from, and how well it does on players who were kept out of its training. */
export function ModelFacts({ card }: { card: ModelCard }) {
  const { metrics, baseline, rows, trainedAt, usualRange } = card;
  const judged = [
    { by: "The model", of: metrics },
    { by: "Average for the player's level", of: baseline },
  ];
  const [low, high] = usualRange;
  return (
    <>
      <StatRow
        items={[
          { label: "Trained", value: <Time at={new Date(trainedAt)} /> },
          { label: "Players trained on", value: number(rows.train) },
          { label: "Players tested on", value: number(metrics.count), hint: "not used in training" },
          {
            label: "Usual error",
            value: formatShare(metrics.median),
            hint: "of the score; half of the estimates are closer",
          },
        ]}
      />
      <Card flush>
        <DataTable
          caption="Accuracy"
          rows={judged}
          rowKey={({ by }) => by}
          columns={[
            { key: "by", header: "Estimated by", primary: true, cell: ({ by }) => by },
            { key: "median", header: "Median error", numeric: true, cell: ({ of }) => formatShare(of.median) },
            { key: "p90", header: "Nine of ten below", numeric: true, cell: ({ of }) => formatShare(of.p90) },
            { key: "score", header: "Score within 2×", numeric: true, cell: ({ of }) => formatShare(of.within2) },
            { key: "total", header: "Sum within 2×", numeric: true, cell: ({ of }) => formatShare(of.within2Total) },
          ]}
        />
      </Card>
      <p className="text-ink-soft">
        For eight of ten players the true score is between {low.toFixed(2)} and {high.toFixed(2)} times the estimate.
        The true scores come from fights and are themselves rounded.
      </p>
      {card.byScore.length > 1 && <ErrorsByScore card={card} />}
    </>
  );
}

function ErrorsByScore({ card }: { card: ModelCard }) {
  return (
    <Card flush>
      <DataTable
        caption="Accuracy by strength"
        rows={card.byScore}
        rowKey={({ from }) => String(from)}
        columns={[
          { key: "from", header: "Score range", primary: true, cell: ({ from }) => number(from) },
          { key: "count", header: "Players", numeric: true, cell: ({ metrics }) => number(metrics.count) },
          { key: "median", header: "Median error", numeric: true, cell: ({ metrics }) => formatShare(metrics.median) },
          {
            key: "score",
            header: "Score within 2×",
            numeric: true,
            cell: ({ metrics }) => formatShare(metrics.within2),
          },
        ]}
      />
    </Card>
  );
}
