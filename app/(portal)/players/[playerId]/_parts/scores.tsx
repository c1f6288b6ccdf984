import { Swords } from "lucide-react";
import { formatCompact, formatNumber } from "#app/_lib/format";
import { timePlot } from "#app/_lib/time-plot";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { Plot } from "#app/_ui/plot.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { SeenScore } from "#server/stats/scores/show-scores";

const whole = (score: number) => formatNumber(Math.round(score));

/** Scores from fights and imports, drawn over time and in figures. */
export function Scores({ scores }: { scores: readonly SeenScore[] }) {
  if (scores.length === 0)
    return (
      <Card title="Scores over time" flush>
        <EmptyState icon={<Swords />} title="No score that you may see">
          Scores come from fights whose faction shares them, and from your own faction's fights and{" "}
          <TextLink href="/faction/stats">imports</TextLink>.
        </EmptyState>
      </Card>
    );
  const inTime = scores.map(({ at, score }) => ({ at, value: score })).reverse();
  return (
    <Card title="Scores over time" description="A score is the sum of the square roots of the four battle stats." flush>
      {scores.length > 1 && (
        <div className="px-4 py-4 sm:px-5">
          <Plot title="Stat score over time" as="dots" {...timePlot(inTime, { value: whole, tick: formatCompact })} />
        </div>
      )}
      <details open={scores.length < 12} className="border-t border-line">
        <summary className="cursor-pointer px-4 py-3 text-sm font-medium sm:px-5">
          {scores.length === 200 ? "The newest 200 in figures" : "All in figures"}
        </summary>
        <DataTable
          caption="Scores, newest first"
          rows={scores}
          rowKey={({ id }) => id}
          columns={[
            { key: "at", header: "Seen", primary: true, nowrap: true, cell: ({ at }) => <Time at={at} /> },
            { key: "score", header: "Score", numeric: true, cell: ({ score }) => whole(score) },
            {
              key: "range",
              header: "Total battle stats",
              numeric: true,
              cell: ({ min, max }) => `${formatNumber(min)} to ${formatNumber(max)}`,
            },
            { key: "source", header: "From", cell: ({ source }) => (source === "fight" ? "A fight" : "An import") },
            {
              key: "seen",
              header: "Seen by",
              cell: ({ shared }) => (shared ? "Everyone" : "Your faction"),
            },
          ]}
        />
      </details>
    </Card>
  );
}
