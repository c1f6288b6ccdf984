import { formatCount, formatNumber } from "#app/_lib/format";
import { timePlot } from "#app/_lib/time-plot";
import { classNames } from "#app/_ui/class-names.tsx";
import { Plot } from "#app/_ui/plot.tsx";
import { stackKinds } from "#app/_ui/plot-points";
import type {
  CallCounts,
  StepOfTraffic,
  TrafficRange,
} from "#server/oauth/clients/traffic/traffic";

export const rangeWords: Readonly<Record<TrafficRange, string>> = {
  "1h": "1 hour",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
};

export const failedCalls = ({ clientErrors, limited, serverErrors }: CallCounts) =>
  clientErrors + limited + serverErrors;

type TrafficPlotProps = { title: string; steps: readonly StepOfTraffic[]; running?: boolean };

/** Calls by step, stacked by how they ended. */
export function TrafficPlot({ title, steps, running = true }: TrafficPlotProps) {
  const plot = timePlot(
    steps.map((step) => ({ at: step.from, value: step.calls })),
    { value: formatNumber, tick: formatNumber, from: 0, whole: true, running },
  );
  return (
    <>
      <Plot
        title={title}
        as="bars"
        {...plot}
        points={plot.points.map((point, index) => {
          const step = steps[index];
          if (!step || step.calls === 0) return { ...point, value: "0 calls" };
          const { clientErrors, limited, serverErrors } = step;
          const counts = [step.calls - failedCalls(step), clientErrors, limited, serverErrors];
          const failed = stackKinds.flatMap(({ name }, kind) =>
            kind > 0 && counts[kind] ? [`${formatNumber(counts[kind])} × ${name}`] : [],
          );
          return {
            ...point,
            label: `${point.label}${failed.length > 0 ? ` · ${failed.join(", ")}` : ""}`,
            value: formatCount(step.calls, "call"),
            parts: counts.map((count) => (count / step.calls) * point.y),
          };
        })}
      />
      <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-faint">
        {stackKinds.map(({ name, mark }) => (
          <span key={name} className="flex items-center gap-1.5">
            <span className={classNames("size-2.5 rounded-tag", mark)} aria-hidden="true" />
            {name}
          </span>
        ))}
      </p>
    </>
  );
}
