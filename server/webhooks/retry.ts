import { dayMs, hourMs, minuteMs, secondMs } from "#server/platform/time";
import { type Attempt, isSuccess } from "./attempt";
import type { WebhookEndpoint } from "./endpoint";

/** Milliseconds after the previous attempt (Standard Webhooks 1.0.0, "Deliverability"). */
export const attemptDelays: readonly number[] = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];
export const mostAttempts = attemptDelays.length;

/** Jitter factor. Below 1, the schedule could end before a dead endpoint is disabled. */
const leastFactor = 1;
const mostFactor = 1.2;
const longestRetryAfter = dayMs;
const scheduleMs = attemptDelays.reduce((sum, delay) => sum + delay, 0) * mostFactor;

/**
 * `Retry-After` only lengthens the wait, within the schedule. Undefined at the schedule's end.
 * @param random draws a number from 0 to 1
 */
export function nextAttemptAt(
  message: {
    readonly attempts: number;
    readonly firstAttemptAt: Date;
    readonly retryAfter: string | null;
  },
  now: Date,
  random: () => number,
): Date | undefined {
  const delay = attemptDelays[message.attempts];
  if (delay === undefined) return undefined;
  const due = now.getTime() + delay * (leastFactor + (mostFactor - leastFactor) * random());
  const asked =
    now.getTime() + Math.min(readRetryAfter(message.retryAfter, now) ?? 0, longestRetryAfter);
  const end = message.firstAttemptAt.getTime() + scheduleMs;
  return new Date(Math.round(Math.max(due, Math.min(asked, end))));
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`, and the two obsolete forms (RFC 9110 section 5.6.7). */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]+$/;

/** Milliseconds, never negative; undefined for an unknown form (RFC 9110 section 10.2.3). */
function readRetryAfter(text: string | null, now: Date): number | undefined {
  const trimmed = text?.trim() ?? "";
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * secondMs;
  // The `asctime` form has no zone, but means UTC.
  const instant = httpDate.test(trimmed)
    ? Date.parse(trimmed.endsWith("GMT") ? trimmed : `${trimmed} GMT`)
    : Number.NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now.getTime());
}

export interface AttemptVerdict {
  /**
   * `paced`: the message waits for the endpoint's pause, and no attempt is counted. `given-up`: the
   * receiver wants no retry. `stopped`: we aborted the request.
   */
  readonly message: "delivered" | "failed" | "paced" | "given-up" | "stopped";
  readonly disable: "gone" | "asked" | undefined;
  /** Back-pressure; a number is milliseconds to wait. */
  readonly slowDown: "busy" | number | undefined;
}

/** Standard Webhooks 1.0.0: 429, 502 and 504 ask senders to slow down. */
const busyStatuses: readonly number[] = [429, 502, 504];
/** With `Retry-After`, these state a rate (RFC 6585 section 4, RFC 9110 section 15.6.4). */
const pacingStatuses: readonly number[] = [429, 503];
const gone = 410;

/** The header `webhook-delivery` can end the message or the endpoint. */
export function judgeAttempt(attempt: Attempt, now: Date): AttemptVerdict {
  const plain = { disable: undefined, slowDown: undefined };
  if ("failure" in attempt)
    return { ...plain, message: attempt.failure === "aborted" ? "stopped" : "failed" };
  const { status } = attempt;
  const requested = attempt.delivery?.trim().toLowerCase();
  const disable = status === gone ? "gone" : requested === "disable" ? "asked" : undefined;
  if (isSuccess(status)) return { ...plain, message: "delivered", disable };
  const slowDown = busyStatuses.includes(status) ? "busy" : undefined;
  if (requested === "abort-message") return { message: "given-up", disable, slowDown };
  const pause = pacingStatuses.includes(status)
    ? readRetryAfter(attempt.retryAfter, now)
    : undefined;
  if (pause !== undefined && !disable)
    return { message: "paced", disable, slowDown: Math.min(pause, longestRetryAfter) };
  return { message: "failed", disable, slowDown };
}

/** `paceMs`: pause between the starts of requests, sent one at a time; null: no limit. */
export type Pace = Pick<WebhookEndpoint, "paceMs" | "paced" | "pacedUntil">;

const firstPaceMs = 250;
const longestPaceMs = minuteMs;
/** An endpoint that is slowed again after fewer deliveries is far above its rate limit. */
const few = 5;
const farStep = 1.5;
const nearStep = 1.1;
/** Each success shortens the pause by a growing share: slowly near the limit, then fast. */
const shortening = 0.002;
/** A shorter pause becomes no pause. */
const shortestPaceMs = 20;

/** Applies after a 429 or 503 with `Retry-After`. */
export function slowedDown({ paceMs, paced }: Pace, askedMs: number, now: Date): Pace {
  const step = paced < few ? farStep : nearStep;
  const next = paceMs === null ? firstPaceMs : Math.min(Math.round(paceMs * step), longestPaceMs);
  const until = new Date(now.getTime() + Math.max(askedMs, next));
  return { paceMs: next, paced: 0, pacedUntil: until };
}

/** Applies after a busy answer without `Retry-After`. */
export const withMinimumPace = (pace: Pace): Pace => ({
  ...pace,
  paceMs: pace.paceMs ?? shortestPaceMs,
});

export function speededUp({ paceMs, paced }: Pace, begun: Date): Pace {
  const next = paceMs === null ? 0 : Math.round(paceMs * (1 - shortening * (paced + 1)));
  if (next <= shortestPaceMs) return { paceMs: null, paced: 0, pacedUntil: null };
  return { paceMs: next, paced: paced + 1, pacedUntil: new Date(begun.getTime() + next) };
}
