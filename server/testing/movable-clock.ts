export interface MovableClock {
  now(): Date;
  /** Moves forward (or back, with a negative number). */
  advance(seconds: number): void;
  set(instant: Date): void;
}

/** A moment in the middle of a clock minute, so that moving a little does not cross a limit's window by accident. */
export const testStart = new Date("2026-03-01T12:00:10.000Z");

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
