import { minuteMs } from "./time";

/** Rules get the time from here alone, so that tests can move it. */
export interface Clock {
  now(): Date;
  /** Stops following the reference. */
  stop(): void;
}

/** A clock that follows a reference. */
export interface FollowingClock extends Clock {
  /** Compares with the reference. Never rejects: where the reference does not answer, the offset stays. */
  measure(): Promise<void>;
}

const samples = 5;
/** Milliseconds of a round trip that is short enough to need no second one, and of one that is always believed. */
const quick = 5;
const short = 50;
/** How fast two clocks may drift apart: 100 millionths of the time that passed. */
const drift = 0.0001;

/** When the reference was read: its time, the process's monotonic time, and how far off that may be, in milliseconds. */
interface Sample {
  readonly instant: number;
  readonly at: number;
  readonly uncertainty: number;
}

/**
 * A clock that follows a reference (the database's), so that all instances agree whatever their own clocks say.
 * The offset is measured now and every minute; between measurements the process's monotonic clock carries it. Of several
 * round trips the shortest is taken. A long one, through a network or a process that stalled, does not move the offset.
 * @param elapsed the monotonic clock, in milliseconds
 * @throws where the reference does not answer at first
 */
export async function followingClock(
  reference: () => Promise<Date>,
  elapsed: () => number = () => performance.now(),
): Promise<FollowingClock> {
  let base = await bestSample(reference, elapsed);
  let measuring: Promise<void> | undefined;
  const measureOnce = async () => {
    const sample = await bestSample(reference, elapsed).catch(() => undefined);
    if (!sample) return;
    const keptUncertainty = base.uncertainty + (elapsed() - base.at) * drift;
    if (sample.uncertainty <= Math.max(short / 2, keptUncertainty)) base = sample;
  };
  const measure = () => {
    measuring ??= measureOnce().finally(() => {
      measuring = undefined;
    });
    return measuring;
  };
  const timer = setInterval(() => void measure(), minuteMs);
  timer.unref();
  return {
    now: () => new Date(base.instant + (elapsed() - base.at)),
    measure,
    stop: () => clearInterval(timer),
  };
}

async function bestSample(reference: () => Promise<Date>, elapsed: () => number): Promise<Sample> {
  let best = await takeSample(reference, elapsed);
  for (let count = 1; count < samples && best.uncertainty > quick / 2; count++) {
    // A further one that fails takes nothing away from those that were answered.
    const next = await takeSample(reference, elapsed).catch(() => best);
    if (next.uncertainty < best.uncertainty) best = next;
  }
  return best;
}

async function takeSample(reference: () => Promise<Date>, elapsed: () => number): Promise<Sample> {
  const before = elapsed();
  const instant = (await reference()).getTime();
  const after = elapsed();
  if (!Number.isFinite(instant)) throw new Error("The reference of the clock told no time.");
  // Half the round trip is the best guess of when the reference was read.
  return { instant, at: (before + after) / 2, uncertainty: (after - before) / 2 };
}
