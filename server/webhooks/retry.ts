import { dayMs, hourMs, minuteMs, secondMs } from "#server/platform/time";
import type { Attempt } from "./attempt";

/** The wait before each attempt of a message, counted from the one before (Standard Webhooks 1.0.0, "Deliverability"). */
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

/**
 * Each wait is multiplied by a random factor, so that what failed together does not come back together. None gets shorter: the
 * schedule would end before a dead endpoint is switched off, and the message that it is tried with would be lost.
 */
const leastFactor = 1;
const mostFactor = 1.2;
const longestRetryAfter = dayMs;
const scheduleMs = attemptDelays.reduce((sum, delay) => sum + delay, 0) * mostFactor;

export interface FailedMessage {
  /** Attempts so far, the failed one included. */
  readonly attempts: number;
  readonly firstAttemptAt: Date;
  /** The last answer's `Retry-After`, as it came. */
  readonly retryAfter: string | null;
}

/**
 * When a message is tried again; undefined once the schedule is at its end. `Retry-After` can make the wait longer, up to a day
 * and not past the time at which the schedule would end, and never shorter.
 * @param random draws a number from 0 to 1
 */
export function nextAttemptAt(
  message: FailedMessage,
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

/** Milliseconds from now, never negative; undefined where the header says nothing that we understand (RFC 9110 section 10.2.3). */
function readRetryAfter(text: string | null, now: Date): number | undefined {
  const trimmed = text?.trim() ?? "";
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * secondMs;
  // Without a zone it is UTC, which a parser would take for the local time.
  const instant = httpDate.test(trimmed)
    ? Date.parse(trimmed.endsWith("GMT") ? trimmed : `${trimmed} GMT`)
    : Number.NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now.getTime());
}

/** The consequences of an attempt. */
export interface Verdict {
  /**
   * For the message; `paced`: it waits for its endpoint's pause, and this was no attempt of its schedule; `given-up`: the receiver
   * wants no further attempt; `stopped`: we ended this one ourselves.
   */
  readonly message: "delivered" | "failed" | "paced" | "given-up" | "stopped";
  /** For the endpoint's health; `unknown` changes nothing. */
  readonly endpoint: "alive" | "failed" | "unknown";
  /** The receiver wants nothing more at this URL, and said so by 410 or by the header: switch it off at once. */
  readonly disable: "gone" | "asked" | undefined;
  /** "busy": the receiver is overloaded, send less. A number: milliseconds to wait first. */
  readonly slowDown: "busy" | number | undefined;
}

/** Too Many Requests, Bad Gateway, Gateway Timeout: Standard Webhooks 1.0.0 wants senders to slow down. */
const busyStatuses: readonly number[] = [429, 502, 504];
/** With `Retry-After` they say that the receiver works, and how fast (RFC 6585 section 4, RFC 9110 section 15.6.4). */
const pacingStatuses: readonly number[] = [429, 503];
const gone = 410;

/** Judges an attempt. A redirect is a failure, and so is every status that is not 2xx; the header `webhook-delivery` steers. */
export function judgeAttempt(attempt: Attempt, now: Date): Verdict {
  const plain = { disable: undefined, slowDown: undefined };
  if ("failure" in attempt)
    return attempt.failure === "aborted"
      ? { ...plain, message: "stopped", endpoint: "unknown" }
      : { ...plain, message: "failed", endpoint: "failed" };
  const { status } = attempt;
  const requested = attempt.delivery?.trim().toLowerCase();
  const disable = status === gone ? "gone" : requested === "disable" ? "asked" : undefined;
  if (status >= 200 && status < 300)
    return { ...plain, message: "delivered", endpoint: "alive", disable };
  const slowDown = busyStatuses.includes(status) ? "busy" : undefined;
  if (requested === "abort-message")
    return { message: "given-up", endpoint: "alive", disable, slowDown };
  const pause = pacingStatuses.includes(status)
    ? readRetryAfter(attempt.retryAfter, now)
    : undefined;
  if (pause !== undefined && !disable)
    return {
      ...{ message: "paced", endpoint: "unknown", disable },
      slowDown: Math.min(pause, longestRetryAfter),
    };
  return { message: "failed", endpoint: "failed", disable, slowDown };
}
