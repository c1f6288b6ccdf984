import { ChartSpline, Swords } from "lucide-react";
import { formatCompact, formatNumber } from "#app/_lib/format";
import { timePlot } from "#app/_lib/time-plot";
import { DemoProgress } from "#app/_parts/demo-progress.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { Plot, ShowAsTable } from "#app/_ui/plot.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { SeenScore } from "#server/stats/entries/show-scores";

type EstimateCardProps = {
  playerId: number;
  estimate: { score: number; min: number; max: number; since: Date; expiresAt: Date } | null;
};

export function EstimateCard({ playerId, estimate }: EstimateCardProps) {
  if (!estimate)
    return (
      <div className="grid gap-3">
        <DemoProgress page={`/players/${playerId}`} />
        <Card title="Estimate" flush>
          <EmptyState icon={<ChartSpline />} title="No estimate yet">
            Adjutant reads a player's public counters once a member of a faction that uses it has
            fought them. Estimates start when <TextLink href="/docs/estimates">the model</TextLink>{" "}
            has learned from enough fights.
          </EmptyState>
        </Card>
      </div>
    );
  const { score, min, max, since, expiresAt } = estimate;
  return (
    <Card
      title="Estimate"
      description={
        <>
          From public counters alone. <TextLink href="/docs/estimates">How good is it?</TextLink>
        </>
      }
      actions={expiresAt < new Date() && <Badge tone="warn">Older than a week</Badge>}
    >
      <KeyValueList
        items={[
          {
            label: "Stat score",
            value: <span className="tabular">{formatNumber(Math.round(score))}</span>,
          },
          {
            label: "Total battle stats",
            value: (
              <span className="tabular">
                {formatNumber(min)} to {formatNumber(max)}
              </span>
            ),
          },
          { label: "Data from", value: <Time at={since} /> },
        ]}
      />
    </Card>
  );
}

const wholeScore = (score: number) => formatNumber(Math.round(score));

export function Scores({ scores }: { scores: readonly SeenScore[] }) {
  if (scores.length === 0)
    return (
      <Card title="Scores over time" flush>
        <EmptyState icon={<Swords />} title="No scores visible to you">
          Scores come from fights whose faction shares them, and from your own faction's fights and{" "}
          <TextLink href="/faction/stats">imports</TextLink>.
        </EmptyState>
      </Card>
    );
  const inTime = scores.map(({ at, score }) => ({ at, value: score })).reverse();
  return (
    <Card
      title="Scores over time"
      description="A score is the sum of the square roots of the four battle stats."
      flush
    >
      {scores.length > 1 && (
        <div className="px-4 py-4 sm:px-5">
          <Plot
            title="Stat score over time"
            as="dots"
            {...timePlot(inTime, { value: wholeScore, tick: formatCompact })}
          />
        </div>
      )}
      <ShowAsTable open={scores.length < 12} className="border-t border-line">
        <DataTable
          caption="Scores, newest first"
          rows={scores}
          rowKey={({ id }) => id}
          columns={[
            { header: "Seen", primary: true, at: ({ at }) => at },
            { header: "Score", numeric: true, cell: ({ score }) => wholeScore(score) },
            {
              header: "Total battle stats",
              numeric: true,
              cell: ({ min, max }) => `${formatNumber(min)} to ${formatNumber(max)}`,
            },
            {
              header: "From",
              cell: ({ source }) => (source === "fight" ? "A fight" : "An import"),
            },
            { header: "Seen by", cell: ({ shared }) => (shared ? "Everyone" : "Your faction") },
          ]}
        />
      </ShowAsTable>
    </Card>
  );
}
