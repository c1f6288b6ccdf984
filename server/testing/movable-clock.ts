export interface MovableClock {
  now(): Date;
  advance(seconds: number): void;
  set(instant: Date): void;
}

/** In the middle of a clock minute, so that a small step does not cross a rate-limit window. */
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
