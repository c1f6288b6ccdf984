import type { PlotPoint, PlotTick } from "#app/_ui/plot-points";
import { dayMs, hourMs, minuteMs } from "#server/platform/time";
import { formatDateTime, formatShortDate, formatTimeOfDay } from "./format";

const niceSteps = [1, 2, 2.5, 5];

/**
 * Makes two even steps that span all values.
 * @param from highest start of the axis; 0 for amounts compared by height
 * @param whole true for counts, which have no half ticks
 */
export function axisOf(
  values: readonly number[],
  from?: number,
  whole = false,
): readonly [low: number, middle: number, high: number] {
  const all = from === undefined ? values : [from, ...values];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (all.length === 0 || !Number.isFinite(most - least)) return [0, 0.5, 1];
  const smallest = Math.max((most - least) / 2, Math.abs(most) / 200, whole ? 1 : 1e-6);
  for (let power = 10 ** Math.floor(Math.log10(smallest)); ; power *= 10)
    for (const step of niceSteps.map((nice) => nice * power)) {
      if (step < smallest * (1 - 1e-9) || (whole && !Number.isInteger(step))) continue;
      const low = Math.floor(least / step + 1e-9) * step;
      if (low + 2 * step >= most * (1 - 1e-9)) return [low, low + step, low + 2 * step];
    }
}

interface TimePlot {
  readonly points: readonly PlotPoint[];
  readonly heights: readonly [string, string, string];
  readonly along: readonly PlotTick[];
}

interface Options {
  /** `value` writes a point in full, `tick` an axis label in short. */
  readonly value: (value: number) => string;
  readonly tick: (value: number) => string;
  readonly whole?: boolean;
  /** True if the last step is incomplete, which its mark and label say. */
  readonly running?: boolean;
  /** The axis starts at or below this value; default: the values' range. */
  readonly from?: number;
  /** Label of a point; by default date and time. */
  readonly name?: (at: Date) => string;
}

/** Ticks are in UTC. */
export function timePlot(
  values: readonly { readonly at: Date; readonly value: number }[],
  { value: write, tick, from, whole, running = false, name = formatDateTime }: Options,
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
    points: values.map(({ at, value }, index) => {
      const isRunning = running && index === values.length - 1;
      return {
        x: span === 0 ? 0.5 : round((at.getTime() - first.getTime()) / span),
        y: round((value - low) / (high - low)),
        label: isRunning ? `${name(at)}, so far` : name(at),
        value: write(value),
        ...(isRunning && { running }),
      };
    }),
    heights: [tick(high), tick(middle), tick(low)],
    along: ticksBetween(first.getTime(), last.getTime()),
  };
}

const dayAndMonth = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

function ticksBetween(first: number, last: number): PlotTick[] {
  const span = last - first;
  const at = (instant: number, name: string): PlotTick => ({
    x: span === 0 ? 0.5 : round((instant - first) / span),
    name,
  });
  const day = (instant: number) => at(instant, formatShortDate(new Date(instant)));
  if (span === 0) return [day(first)];
  if (span > 40 * dayMs) return [day(first), day(last)];
  if (span > 2 * dayMs) {
    const step = span > 8 * dayMs ? 7 * dayMs : 2 * dayMs;
    return backFrom(last, step, first).map((instant) => at(instant, dayAndMonth.format(instant)));
  }
  const step = span > 6 * hourMs ? 6 * hourMs : 15 * minuteMs;
  return backFrom(Math.floor(last / step) * step, step, first).map((instant) =>
    at(instant, formatTimeOfDay(new Date(instant))),
  );
}

const backFrom = (end: number, step: number, start: number): number[] =>
  Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, index) => end - index * step);

/** Digits beyond a screen's resolution would only enlarge the page. */
const round = (share: number) => Math.round(share * 10_000) / 10_000;
