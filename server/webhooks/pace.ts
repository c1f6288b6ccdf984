import { minuteMs } from "#server/platform/time";

/** How fast an endpoint that asked to be sent less is sent to. */
export interface Pace {
  /** Milliseconds between the beginnings of two requests, one at a time; null: as fast as it answers. */
  readonly paceMs: number | null;
  /** Deliveries since it last asked. */
  readonly paced: number;
  /** Nothing is sent before. */
  readonly pacedUntil: Date | null;
}

const firstMs = 250;
const longestMs = minuteMs;
/** An endpoint that asks again after so few deliveries is far beyond its limit. */
const few = 5;
const farStep = 1.5;
const nearStep = 1.1;
/** Each delivery shortens the pause by this share more than the one before, so that a limit is approached slowly and left fast. */
const shortening = 0.002;
/** A shorter pause is none. */
const shortestMs = 20;

/** The endpoint answered 429 or 503 and asked for a pause. */
export function slowedDown({ paceMs, paced }: Pace, askedMs: number, now: Date): Pace {
  const step = paced < few ? farStep : nearStep;
  const next = paceMs === null ? firstMs : Math.min(Math.round(paceMs * step), longestMs);
  const until = new Date(now.getTime() + Math.max(askedMs, next));
  return { paceMs: next, paced: 0, pacedUntil: until };
}

/** The endpoint is busy and named no time: one request at a time until it accepts one. */
export const oneAtATime = (pace: Pace): Pace => ({
  ...pace,
  paceMs: pace.paceMs ?? shortestMs,
});

/** After an accepted delivery; `begun` is when its request began. */
export function speededUp({ paceMs, paced }: Pace, begun: Date): Pace {
  const next = paceMs === null ? 0 : Math.round(paceMs * (1 - shortening * (paced + 1)));
  if (next <= shortestMs) return { paceMs: null, paced: 0, pacedUntil: null };
  return { paceMs: next, paced: paced + 1, pacedUntil: new Date(begun.getTime() + next) };
}
