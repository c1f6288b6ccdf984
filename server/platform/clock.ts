/** Tells the time. Rules get instants from here and nowhere else, so that tests can move it. */
export interface Clock {
  now(): Date;
  /** Stops following the reference. */
  stop(): void;
}

const minute = 60_000;

/**
 * A clock that follows a reference (the database's), so that all instances agree whatever their own clocks say.
 * The offset is measured now and every minute; between measurements the process's monotonic clock carries it.
 */
export async function followingClock(reference: () => Promise<Date>): Promise<Clock> {
  let base = { instant: Date.now(), at: performance.now() };
  const measure = async () => {
    const before = performance.now();
    const instant = (await reference()).getTime();
    const after = performance.now();
    // Half the round trip is the best guess of when the reference was read.
    if (Number.isFinite(instant)) base = { instant, at: (before + after) / 2 };
  };
  await measure();
  const timer = setInterval(() => void measure().catch(() => {}), minute);
  timer.unref();
  return {
    now: () => new Date(base.instant + (performance.now() - base.at)),
    stop: () => clearInterval(timer),
  };
}
