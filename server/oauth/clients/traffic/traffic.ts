import type { EndpointCounts } from "#db/schema/operations";
import { dayMs, hourMs } from "#server/platform/time";

/** How far back the figures reach. */
export const trafficRanges = ["24h", "7d", "30d"] as const;
export type TrafficRange = (typeof trafficRanges)[number];

/** The first class of latency holds a microsecond, each further one so many times as much: a figure is right to some 12 %. */
export const latencyBase = 1.25;

/** An hour of an application's calls. */
export interface HourOfTraffic {
  readonly hour: Date;
  readonly endpoints: Readonly<Record<string, EndpointCounts>>;
  /** Calls by the logarithm of their microseconds. */
  readonly latency: Readonly<Record<string, number>>;
  /** The most calls that one player's tokens made in a minute. */
  readonly busiestMinute: number;
}

/** Calls, and how those of them ended that failed. */
export interface CallCounts {
  readonly calls: number;
  /** 4xx, but for 429. */
  readonly clientErrors: number;
  /** 429. */
  readonly limited: number;
  /** 5xx. */
  readonly serverErrors: number;
}

/** An hour, or a day in UTC. */
export interface StepOfTraffic extends CallCounts {
  readonly from: Date;
}

/** How an application was used over a range. */
export interface Traffic {
  readonly range: TrafficRange;
  readonly total: CallCounts;
  /** Microseconds; null where there was no call. */
  readonly median: number | null;
  readonly p95: number | null;
  /** The most calls that one player's tokens made in a minute. */
  readonly busiestMinute: number;
  /** The hour of that minute, the newest of several; null where there was no call. */
  readonly busiestHour: Date | null;
  /** Oldest first, those without a call included. */
  readonly steps: readonly StepOfTraffic[];
  /** The most called first. */
  readonly endpoints: readonly (CallCounts & { readonly endpoint: string })[];
}

const spans: Readonly<Record<TrafficRange, { readonly step: number; readonly steps: number }>> = {
  "24h": { step: hourMs, steps: 24 },
  "7d": { step: dayMs, steps: 7 },
  "30d": { step: dayMs, steps: 30 },
};

/** When a range begins: with an hour, or with a day in UTC. The one that has begun counts as whole. */
export function rangeStart(range: TrafficRange, now: Date): Date {
  const { step, steps } = spans[range];
  return new Date(Math.floor(now.getTime() / step) * step - (steps - 1) * step);
}

/** Puts the hours of a range together. */
export function sumTraffic(
  range: TrafficRange,
  hours: readonly HourOfTraffic[],
  now: Date,
): Traffic {
  const { step, steps: many } = spans[range];
  const start = rangeStart(range, now).getTime();
  const steps = Array.from({ length: many }, () => none);
  const endpoints = new Map<string, EndpointCounts>();
  const latency = new Map<number, number>();
  for (const { hour, endpoints: ofHour, latency: latencies } of hours) {
    const index = Math.floor((hour.getTime() - start) / step);
    for (const [endpoint, counts] of Object.entries(ofHour)) {
      steps[index] = add(steps[index] ?? none, counts);
      endpoints.set(endpoint, add(endpoints.get(endpoint) ?? none, counts));
    }
    for (const [power, calls] of Object.entries(latencies))
      latency.set(Number(power), (latency.get(Number(power)) ?? 0) + calls);
  }
  const [busiest] = hours
    .filter(({ busiestMinute }) => busiestMinute > 0)
    .sort(
      (one, other) =>
        other.busiestMinute - one.busiestMinute || other.hour.getTime() - one.hour.getTime(),
    );
  return {
    range,
    total: named(steps.reduce(add, none)),
    median: quantile(latency, 0.5),
    p95: quantile(latency, 0.95),
    busiestMinute: busiest?.busiestMinute ?? 0,
    busiestHour: busiest?.hour ?? null,
    steps: steps.map((counts, index) => ({
      ...named(counts),
      from: new Date(start + index * step),
    })),
    endpoints: [...endpoints]
      .map(([endpoint, counts]) => ({ endpoint, ...named(counts) }))
      .sort((one, other) => other.calls - one.calls || one.endpoint.localeCompare(other.endpoint)),
  };
}

const none: EndpointCounts = [0, 0, 0, 0];

const add = (one: EndpointCounts, other: EndpointCounts): EndpointCounts => [
  one[0] + other[0],
  one[1] + other[1],
  one[2] + other[2],
  one[3] + other[3],
];

const named = ([calls, clientErrors, limited, serverErrors]: EndpointCounts): CallCounts => ({
  ...{ calls, clientErrors, limited, serverErrors },
});

/** The latency within which this share of the calls stayed: the middle of the class in which it lies. */
export function quantile(latency: ReadonlyMap<number, number>, share: number): number | null {
  const sorted = [...latency].sort(([one], [other]) => one - other);
  let left = share * sorted.reduce((sum, [, calls]) => sum + calls, 0);
  for (const [power, calls] of sorted) {
    left -= calls;
    if (left <= 0) return Math.round(latencyBase ** (power + 0.5));
  }
  return null;
}

/** How far players came with an application, each counted once; a player in a step was in all before it. */
export interface Funnel {
  /** Saw the consent page. */
  readonly shown: number;
  readonly approved: number;
  /** The application exchanged the code for tokens. */
  readonly exchanged: number;
  /** The application called the API in their name. */
  readonly called: number;
}
