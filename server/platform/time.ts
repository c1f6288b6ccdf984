import { dayMs, secondMs } from "./durations";

/** A moment as the wire tells it, here and in the game: whole Unix seconds, rounded down. */
export function toUnixSeconds(instant: Date): number;
export function toUnixSeconds(instant: Date | null): number | null;
export function toUnixSeconds(instant: Date | null): number | null {
  return instant && Math.floor(instant.getTime() / secondMs);
}

/** A day of the game's time, which is UTC, as `2026-03-01`. @param back how many days before the moment's own */
export const dayOf = (moment: Date, back = 0): string =>
  new Date(moment.getTime() - back * dayMs).toISOString().slice(0, 10);

/** The earlier of two instants, of which the second may be never. */
export const earlier = (one: Date, other: Date | null): Date => (other && other < one ? other : one);
