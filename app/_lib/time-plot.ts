import type { PlotPoint } from "#app/_ui/plot.tsx";
import { axisOf } from "#app/_ui/plot-scale.tsx";
import { formatShortDay, formatTimeOfDay } from "./format";

export interface TimePlot {
  readonly points: readonly PlotPoint[];
  readonly heights: readonly [string, string, string];
  readonly ends: readonly [string, string];
}

interface Options {
  /** How a value is written, at a point and, shorter, on the axis. */
  readonly value: (value: number) => string;
  readonly tick: (value: number) => string;
  /** Where the axis of heights begins at the latest; where the values lie, if absent. */
  readonly from?: number;
  /** How the time of a point is written; to the minute, if absent. */
  readonly name?: (at: Date) => string;
}

const toTheMinute = (at: Date) => `${formatShortDay(at)}, ${formatTimeOfDay(at)} UTC`;

/** Values in the order of time as a plot of them, in UTC. */
export function timePlot(
  values: readonly { readonly at: Date; readonly value: number }[],
  { value: write, tick, from, name = toTheMinute }: Options,
): TimePlot {
  const [first, last] = [values[0]?.at ?? new Date(0), values.at(-1)?.at ?? new Date(0)];
  const axis = axisOf(
    values.map(({ value }) => value),
    from,
  );
  const [low, middle, high] = axis;
  const span = last.getTime() - first.getTime();
  return {
    points: values.map(({ at, value }) => ({
      x: span === 0 ? 0.5 : round((at.getTime() - first.getTime()) / span),
      y: round((value - low) / (high - low)),
      label: name(at),
      value: write(value),
    })),
    heights: [tick(high), tick(middle), tick(low)],
    ends: [formatShortDay(first), formatShortDay(last)],
  };
}

/** A page sends each point: more digits than a screen has dots would be for nothing. */
const round = (share: number) => Math.round(share * 10_000) / 10_000;
