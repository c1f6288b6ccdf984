import { Cron } from "croner";
import type { Context } from "#server/context";
import { secondMs } from "#server/platform/time";

/** Slots are the same instants on every instance. */
export type Cadence =
  /** Slots are multiples of this since 1970. */
  | { readonly everySeconds: number }
  /** UTC, which is also the game's time. */
  | { readonly cron: string };

/** A run's counts are stored and shown in health. */
export type Counts = Readonly<Record<string, number>>;

export interface RunLimits {
  /** Limit of game calls. */
  readonly budget: number;
  /** Aborted on a drain: a job finishes its item and leaves the rest to the next slot. */
  readonly signal: AbortSignal;
}

/** A job decides itself which items are due, so an idle run is cheap. */
export interface Job {
  readonly name: string;
  readonly cadence: Cadence;
  readonly budget: number;
  run(ctx: Context, work: RunLimits): Promise<Counts>;
}

/** Newest first. */
export function dueSlots(cadence: Cadence, now: Date, count: number): Date[] {
  if ("cron" in cadence) {
    // croner excludes a slot that equals the given instant.
    const justAfter = new Date(now.getTime() + 1);
    return new Cron(cadence.cron, { timezone: "UTC", paused: true }).previousRuns(count, justAfter);
  }
  const period = cadence.everySeconds * secondMs;
  const newest = Math.floor(now.getTime() / period) * period;
  return Array.from({ length: count }, (_, index) => new Date(newest - index * period));
}

/** Undefined if the pattern has no past slot. */
export const newestSlot = (cadence: Cadence, now: Date): Date | undefined =>
  dueSlots(cadence, now, 1)[0];
