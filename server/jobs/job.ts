import type { Context } from "#server/context";

/** When a job is due. Slots are the same instants on every instance. */
export type Cadence =
  /** At every multiple of so many seconds since 1970. */
  | { readonly everySeconds: number }
  /** A cron pattern, in UTC, which is also the game's time. */
  | { readonly cron: string };

/** What a run did, in numbers: kept with the run and shown in health. */
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
