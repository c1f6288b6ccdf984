import { minuteMs } from "./time";
import { singleFlight } from "./ttl-cache";

/** The only source of time for rules. */
export interface Clock {
  now(): Date;
  stop(): void;
}

const samples = 5;
/** Milliseconds. A `quick` round trip needs no second sample; a `short` one is always accepted. */
const quick = 5;
const short = 50;
/** Drift between two clocks: 100 ppm. */
const drift = 0.0001;

interface Sample {
  readonly instant: number;
  readonly at: number;
  readonly uncertainty: number;
}

/**
 * Follows the database's clock, so that all instances agree. Each minute the shortest of several
 * round trips measures it; in between the monotonic clock carries on.
 * @param elapsed monotonic clock, milliseconds
 * @throws if the reference does not answer at first
 */
export async function createSyncedClock(
  reference: () => Promise<Date>,
  elapsed: () => number = () => performance.now(),
): Promise<Clock & { measure(): Promise<void> }> {
  let base = await bestSample(reference, elapsed);
  const measure = singleFlight(async () => {
    const sample = await bestSample(reference, elapsed).catch(() => undefined);
    if (!sample) return;
    const keptUncertainty = base.uncertainty + (elapsed() - base.at) * drift;
    if (sample.uncertainty <= Math.max(short / 2, keptUncertainty)) base = sample;
  });
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
  // The middle of the round trip is the best estimate of the answer's time.
  return { instant, at: (before + after) / 2, uncertainty: (after - before) / 2 };
}
