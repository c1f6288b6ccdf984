/** Durations, each in the unit that its name ends with: clocks count milliseconds, settings and the API seconds. */
export const secondMs = 1_000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
export const weekMs = 604_800_000;

export const minuteSeconds = 60;
export const hourSeconds = 3_600;
export const daySeconds = 86_400;
export const weekSeconds = 604_800;

/** Wire format, here and in the game: whole Unix seconds, rounded down. */
export function toUnixSeconds(instant: Date): number;
export function toUnixSeconds(instant: Date | null): number | null;
export function toUnixSeconds(instant: Date | null): number | null {
  return instant && Math.floor(instant.getTime() / secondMs);
}

/** When the minute of a moment began. */
export const startOfMinute = (moment: Date): Date =>
  new Date(Math.floor(moment.getTime() / minuteMs) * minuteMs);

/** A day of the game's time, which is UTC, as `2026-03-01`. @param back how many days before the moment's own */
export const dayOf = (moment: Date, back = 0): string =>
  new Date(moment.getTime() - back * dayMs).toISOString().slice(0, 10);

/** The earlier of two instants, of which the second may be never. */
export const earlier = (one: Date, other: Date | null): Date =>
  other && other < one ? other : one;
