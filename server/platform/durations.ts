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
