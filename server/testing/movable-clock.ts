/** A clock that stands still until a test moves it. */
export interface MovableClock {
  now(): Date;
  /** Moves forward (or back, with a negative number). */
  advance(seconds: number): void;
  set(instant: Date): void;
}

export function movableClock(start: Date): MovableClock {
  let instant = start.getTime();
  return {
    now: () => new Date(instant),
    advance: (seconds) => {
      instant += seconds * 1_000;
    },
    set: (to) => {
      instant = to.getTime();
    },
  };
}
