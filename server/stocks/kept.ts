/** How long ticks are kept: the longest period of movers, and a day in which a tick at or before its start is found. */
export const keptMilliseconds = 31 * 86_400_000;
