import type { PlotPoint, PlotTick } from "#app/_ui/plot.tsx";
import { dayMs, hourMs } from "#server/platform/time";
import { formatShortDay, formatTimeOfDay } from "./format";

/** Steps that people count in. */
const niceSteps = [1, 2, 2.5, 5, 10];

/** The smallest step of people's that is at least this. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * (niceSteps.find((step) => step * power >= least * (1 - 1e-9)) ?? 10);
}

/**
 * An axis of two even steps that holds all values: its lower end, middle and upper end.
 * @param from where it begins at the latest: 0 for amounts that are compared by their height
 * @param whole for things that are counted: no tick is a half
 */
export function axisOf(
  values: readonly number[],
  from?: number,
  whole = false,
): readonly [low: number, middle: number, high: number] {
  const all = from === undefined ? values : [from, ...values];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (all.length === 0 || !Number.isFinite(most - least)) return [0, 0.5, 1];
  let step = niceStep(Math.max((most - least) / 2, Math.abs(most) / 200, whole ? 1 : 1e-6));
  for (;;) {
    if (whole && !Number.isInteger(step)) step = niceStep(step * 1.01);
    const low = Math.floor(least / step + 1e-9) * step;
    if (low + 2 * step >= most * (1 - 1e-9)) return [low, low + step, low + 2 * step];
    step = niceStep(step * 1.01);
  }
}

export interface TimePlot {
  readonly points: readonly PlotPoint[];
  readonly heights: readonly [string, string, string];
  readonly along: readonly PlotTick[];
}

interface Options {
  /** How a value is written, at a point and, shorter, on the axis. */
  readonly value: (value: number) => string;
  readonly tick: (value: number) => string;
  /** The values are counts. */
  readonly whole?: boolean;
  /** The last value is of a step that has not ended. */
  readonly running?: boolean;
  /** Where the axis of heights begins at the latest; where the values lie, if absent. */
  readonly from?: number;
  /** How the time of a point is written; to the minute, if absent. */
  readonly name?: (at: Date) => string;
}

const toTheMinute = (at: Date) => `${formatShortDay(at)}, ${formatTimeOfDay(at)} UTC`;

/** Values in the order of time as a plot of them, in UTC. */
export function timePlot(
  values: readonly { readonly at: Date; readonly value: number }[],
  { value: write, tick, from, whole, running = false, name = toTheMinute }: Options,
): TimePlot {
  const [first, last] = [values[0]?.at ?? new Date(0), values.at(-1)?.at ?? new Date(0)];
  const axis = axisOf(
    values.map(({ value }) => value),
    from,
    whole,
  );
  const [low, middle, high] = axis;
  const span = last.getTime() - first.getTime();
  return {
    points: values.map(({ at, value }, index) => ({
      x: span === 0 ? 0.5 : round((at.getTime() - first.getTime()) / span),
      y: round((value - low) / (high - low)),
      label: name(at),
      value: write(value),
      ...(running && index === values.length - 1 && { running }),
    })),
    heights: [tick(high), tick(middle), tick(low)],
    along: ticksBetween(first.getTime(), last.getTime()),
  };
}

const dayAndMonth = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** Named instants between two: hours of a day, days of some weeks, and the ends of what is longer. */
function ticksBetween(first: number, last: number): PlotTick[] {
  const span = last - first;
  const at = (instant: number, name: string): PlotTick => ({
    x: span === 0 ? 0.5 : round((instant - first) / span),
    name,
  });
  const day = (instant: number) => at(instant, formatShortDay(new Date(instant)));
  if (span === 0) return [day(first)];
  if (span > 40 * dayMs) return [day(first), day(last)];
  if (span > 2 * dayMs) {
    const step = span > 8 * dayMs ? 7 * dayMs : 2 * dayMs;
    return backFrom(last, step, first).map((instant) => at(instant, dayAndMonth.format(instant)));
  }
  return backFrom(Math.floor(last / (6 * hourMs)) * 6 * hourMs, 6 * hourMs, first).map((instant) =>
    at(instant, formatTimeOfDay(new Date(instant))),
  );
}

const backFrom = (end: number, step: number, start: number): number[] =>
  Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, index) => end - index * step);

/** A page sends each point: more digits than a screen has dots would be for nothing. */
const round = (share: number) => Math.round(share * 10_000) / 10_000;
