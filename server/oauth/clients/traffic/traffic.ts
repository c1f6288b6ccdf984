import type { EndpointCounts, trafficHours } from "#db/schema/operations";
import { hourMs, minuteMs, weekMs } from "#server/platform/time";

export const trafficRanges = ["1h", "24h", "7d", "30d"] as const;
export type TrafficRange = (typeof trafficRanges)[number];

/** Ratio of adjacent latency classes, from 1 µs up: about 12 % precision. */
export const latencyBucketBase = 1.25;

/** In the range "1h", `hour` is the start of a minute. */
export type HourOfTraffic = typeof trafficHours.$inferSelect;

export type Traffic = ReturnType<typeof sumTraffic>;
export type StepOfTraffic = Traffic["steps"][number];
export type CallCounts = ReturnType<typeof named>;

/** Steps are short enough to show an outage of an hour in every range. */
export const rangeSteps: Readonly<
  Record<TrafficRange, { readonly step: number; readonly steps: number }>
> = {
  "1h": { step: minuteMs, steps: 60 },
  "24h": { step: hourMs, steps: 24 },
  "7d": { step: hourMs, steps: 7 * 24 },
  "30d": { step: 3 * hourMs, steps: 30 * 8 },
};

export function rangeStart(range: TrafficRange, now: Date): Date {
  const { step, steps } = rangeSteps[range];
  return new Date(Math.floor(now.getTime() / step) * step - (steps - 1) * step);
}

export const statisticsSince = (now: Date): Date => new Date(now.getTime() - weekMs);

export function sumTraffic(range: TrafficRange, hours: readonly HourOfTraffic[], now: Date) {
  const { step, steps } = rangeSteps[range];
  const start = rangeStart(range, now);
  const within = hours.filter(({ hour }) => hour >= start);
  // A call that is logged during the reading belongs to the last step.
  const stepOf = ({ hour }: HourOfTraffic) =>
    Math.min(Math.floor((hour.getTime() - start.getTime()) / step), steps - 1);
  const byStep = Map.groupBy(within, stepOf);
  const endpoints = new Map<string, EndpointCounts>();
  for (const [endpoint, counts] of within.flatMap((each) => Object.entries(each.endpoints)))
    endpoints.set(endpoint, add(endpoints.get(endpoint) ?? none, counts));
  const [busiest] = within
    .filter(({ busiestMinute }) => busiestMinute > 0)
    .sort(
      (one, other) =>
        other.busiestMinute - one.busiestMinute || other.hour.getTime() - one.hour.getTime(),
    );
  const { median, p95, ...total } = sumHours(within);
  return {
    total,
    median,
    p95,
    busiestMinute: busiest?.busiestMinute ?? 0,
    busiestHour: busiest?.hour ?? null,
    steps: Array.from({ length: steps }, (_, index) => ({
      ...sumHours(byStep.get(index) ?? []),
      from: new Date(start.getTime() + index * step),
    })),
    endpoints: [...endpoints]
      .map(([endpoint, counts]) => ({ endpoint, ...named(counts) }))
      .sort((one, other) => other.calls - one.calls || one.endpoint.localeCompare(other.endpoint)),
  };
}

/** Latency in microseconds; null without a call. */
function sumHours(hours: readonly HourOfTraffic[]) {
  const counts = hours.flatMap(({ endpoints }) => Object.values(endpoints)).reduce(add, none);
  const latency = new Map<number, number>();
  for (const [power, calls] of hours.flatMap((each) => Object.entries(each.latency)))
    latency.set(Number(power), (latency.get(Number(power)) ?? 0) + calls);
  return { ...named(counts), median: quantile(latency, 0.5), p95: quantile(latency, 0.95) };
}

const none: EndpointCounts = [0, 0, 0, 0];

const add = (one: EndpointCounts, other: EndpointCounts): EndpointCounts => [
  one[0] + other[0],
  one[1] + other[1],
  one[2] + other[2],
  one[3] + other[3],
];

/** `clientErrors`: 4xx except 429. */
const named = ([calls, clientErrors, limited, serverErrors]: EndpointCounts) => ({
  calls,
  clientErrors,
  limited,
  serverErrors,
});

export function quantile(latency: ReadonlyMap<number, number>, share: number): number | null {
  const sorted = [...latency].sort(([one], [other]) => one - other);
  let left = share * sorted.reduce((sum, [, calls]) => sum + calls, 0);
  for (const [power, calls] of sorted) {
    left -= calls;
    if (left <= 0) return Math.round(latencyBucketBase ** (power + 0.5));
  }
  return null;
}
