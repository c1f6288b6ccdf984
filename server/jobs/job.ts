import { Cron } from "croner";
import type { Context } from "#server/context";
import { secondMs } from "#server/platform/time";

/** When a job is due. Slots are the same instants on every instance. */
export type Cadence =
  /** At every multiple of so many seconds since 1970. */
  | { readonly everySeconds: number }
  /** A cron pattern, in UTC, which is also the game's time. */
  | { readonly cron: string };

/** The counts of a run, kept with it and shown in health. */
export type Counts = Readonly<Record<string, number>>;

export interface Work {
  /** Calls to the game that the run may make. */
  readonly budget: number;
  /** Aborted when the process drains: finish the item at hand, leave the rest to the next slot. */
  readonly signal: AbortSignal;
}

/** Work that is done again and again. A run that finds nothing to do is cheap, so a job decides itself what has aged. */
export interface Job {
  readonly name: string;
  readonly cadence: Cadence;
  readonly budget: number;
  run(ctx: Context, work: Work): Promise<Counts>;
}

/** The newest `count` slots that are due at `now`, the newest first. */
export function dueSlots(cadence: Cadence, now: Date, count: number): Date[] {
  if ("cron" in cadence) {
    // croner leaves out a slot that is exactly the instant it is asked about.
    const justAfter = new Date(now.getTime() + 1);
    return new Cron(cadence.cron, { timezone: "UTC", paused: true }).previousRuns(count, justAfter);
  }
  const period = cadence.everySeconds * secondMs;
  const newest = Math.floor(now.getTime() / period) * period;
  return Array.from({ length: count }, (_, index) => new Date(newest - index * period));
}

/** The newest slot that is due at `now`; undefined where the pattern has none in the past. */
export const newestSlot = (cadence: Cadence, now: Date): Date | undefined =>
  dueSlots(cadence, now, 1)[0];

/** Seconds. Long enough for a short stall of the process or the database, short enough not to be missed by anybody. */
const shortestLease = 6;
const longestLease = 60;

/** How long a run counts as alive without a word of its process: two periods, so that a dead one is soon taken over. */
export const leaseSeconds = (cadence: Cadence): number =>
  "cron" in cadence
    ? longestLease
    : Math.min(Math.max(2 * cadence.everySeconds, shortestLease), longestLease);
