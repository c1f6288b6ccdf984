import { minuteMs } from "#server/platform/time";

/** The rate of an endpoint that asked for back-pressure. */
export interface Pace {
  /** Milliseconds between the starts of two requests, one at a time; null: no limit. */
  readonly paceMs: number | null;
  readonly paced: number;
  readonly pacedUntil: Date | null;
}

const firstMs = 250;
const longestMs = minuteMs;
/** Asking again after so few deliveries means far above the limit. */
const few = 5;
const farStep = 1.5;
const nearStep = 1.1;
/**
 * Each delivery shortens the pause by a growing share: approaches a limit slowly and leaves it
 * fast.
 */
const shortening = 0.002;
/** A shorter pause becomes none. */
const shortestMs = 20;

/** After a 429 or 503 with a wait time. */
export function slowedDown({ paceMs, paced }: Pace, askedMs: number, now: Date): Pace {
  const step = paced < few ? farStep : nearStep;
  const next = paceMs === null ? firstMs : Math.min(Math.round(paceMs * step), longestMs);
  const until = new Date(now.getTime() + Math.max(askedMs, next));
  return { paceMs: next, paced: 0, pacedUntil: until };
}

/** Without a wait time: one request at a time until one is accepted. */
export const oneAtATime = (pace: Pace): Pace => ({
  ...pace,
  paceMs: pace.paceMs ?? shortestMs,
});

export function speededUp({ paceMs, paced }: Pace, begun: Date): Pace {
  const next = paceMs === null ? 0 : Math.round(paceMs * (1 - shortening * (paced + 1)));
  if (next <= shortestMs) return { paceMs: null, paced: 0, pacedUntil: null };
  return { paceMs: next, paced: paced + 1, pacedUntil: new Date(begun.getTime() + next) };
}
