import { ChartSpline } from "lucide-react";
import { formatNumber } from "#app/_lib/format";
import { DemoProgress } from "#app/_parts/demo-progress.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";

type Props = {
  playerId: number;
  estimate: { score: number; min: number; max: number; since: Date; expiresAt: Date } | null;
};

/** What the model expects of the player, with how old that is. */
export function EstimateCard({ playerId, estimate }: Props) {
  if (!estimate)
    return (
      <div className="grid gap-3">
        <DemoProgress page={`/players/${playerId}`} />
        <Card title="Estimate" flush>
          <EmptyState icon={<ChartSpline />} title="No estimate yet">
            Adjutant reads a player's public counters once a member of a faction that uses it has fought them. Estimates
            start when <TextLink href="/docs/estimates">the model</TextLink> has learned from enough fights.
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
          { label: "Stat score", value: <span className="tabular">{formatNumber(Math.round(score))}</span> },
          {
            label: "Total battle stats",
            value: (
              <span className="tabular">
                {formatNumber(min)} to {formatNumber(max)}
              </span>
            ),
          },
          { label: "Counters from", value: <Time at={since} /> },
        ]}
      />
    </Card>
  );
}
