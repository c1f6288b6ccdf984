import { formatNumber } from "#app/_lib/format";
import { timePlot } from "#app/_lib/time-plot";
import { Card } from "#app/_ui/card.tsx";
import { Plot } from "#app/_ui/plot.tsx";
import type { Hour } from "#server/health/overview";

type Props = {
  title: string;
  hours: readonly Hour[];
  /** Null: not measured. */
  read: (hour: Hour) => number | null;
  write?: (value: number) => string;
  hint?: string;
  /** The figure is a count. */
  whole?: boolean;
  /** Known when an hour is over: the running one is left out. */
  afterwards?: boolean;
};

export function FigurePlot({
  title,
  hours,
  read,
  write = formatNumber,
  hint,
  whole,
  afterwards = false,
}: Props) {
  const values = (afterwards ? hours.slice(0, -1) : hours).map((hour) => ({
    at: hour.at,
    value: read(hour) ?? 0,
  }));
  const isEmpty = values.every(({ value }) => value === 0);
  return (
    <Card title={title} description={hint}>
      {isEmpty ? (
        <p className="text-sm text-ink-soft">None in the last 24 hours.</p>
      ) : (
        <Plot
          title={`${title} in the last 24 hours`}
          {...timePlot(values, { value: write, tick: write, from: 0, whole, running: !afterwards })}
          as="bars"
        />
      )}
    </Card>
  );
}
