/** Clocks use milliseconds; settings and the API use seconds. */
export const secondMs = 1_000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
export const weekMs = 604_800_000;

export const minuteSeconds = 60;
export const hourSeconds = 3_600;
export const daySeconds = 86_400;

/** Rounded down, as in our API and the game's. */
export function toUnixSeconds(instant: Date): number;
export function toUnixSeconds(instant: Date | null): number | null;
export function toUnixSeconds(instant: Date | null): number | null {
  return instant && Math.floor(instant.getTime() / secondMs);
}

export const startOfMinute = (moment: Date): Date =>
  new Date(Math.floor(moment.getTime() / minuteMs) * minuteMs);

/** UTC, as `2026-03-01`. */
export const dayOf = (moment: Date, back = 0): string =>
  new Date(moment.getTime() - back * dayMs).toISOString().slice(0, 10);

/** Null means never. */
export const earlier = (one: Date, other: Date | null): Date =>
  other && other < one ? other : one;
