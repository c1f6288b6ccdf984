import { formatNumber } from "#app/_lib/format";
import { Status } from "#app/_ui/badge.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { ModelCard } from "#server/stats/estimates/model/model-card";

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** The model of stat estimates that answers at the moment, by its card. */
export function ModelState({ model }: { model: ModelCard | null }) {
  if (!model) return <Status tone="neutral">No model yet: not enough fights</Status>;
  return (
    <div className="grid gap-1">
      <Status tone="good">Model in use</Status>
      <span className="tabular text-sm text-ink-soft">
        Trained <Time at={new Date(model.trainedAt)} /> on {formatNumber(model.rows.train)} players; median error{" "}
        {percent(model.metrics.median)}, by level alone {percent(model.baseline.median)}.{" "}
        <TextLink href="/docs/estimates#model">Its card</TextLink>
      </span>
    </div>
  );
}
