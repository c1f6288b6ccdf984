import { formatNumber } from "#app/_lib/format";
import { timePlot } from "#app/_lib/time-plot";
import { Card } from "#app/_ui/card.tsx";
import { Plot } from "#app/_ui/plot.tsx";
import type { MetricsPeriod } from "#server/health/minute-metrics";

type Props = {
  title: string;
  figures: readonly MetricsPeriod[];
  /** The value that is drawn; null where nothing was measured. */
  read: (stretch: MetricsPeriod) => number | null;
  /** Formats the value. */
  write?: (value: number) => string;
  hint?: string;
  /** The figure counts something. */
  whole?: boolean;
};

/** One figure over the last 24 hours. */
export function FigurePlot({ title, figures, read, write = formatNumber, hint, whole }: Props) {
  const values = figures.map((stretch) => ({ at: stretch.at, value: read(stretch) ?? 0 }));
  const isEmpty = values.every(({ value }) => value === 0);
  return (
    <Card title={title} description={hint}>
      {isEmpty ? (
        <p className="text-sm text-ink-soft">None in the last 24 hours.</p>
      ) : (
        <Plot
          title={`${title} in the last 24 hours`}
          {...timePlot(values, { value: write, tick: write, from: 0, whole, running: true })}
          as="bars"
        />
      )}
    </Card>
  );
}
