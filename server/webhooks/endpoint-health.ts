import { hourMs } from "#server/platform/time";

export interface FailureStreak {
  readonly failures: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/**
 * `resting`: one delivery at a time is tried, and types that have not failed. `exhausted`: to be
 * disabled.
 */
export type EndpointHealth = "working" | "failing" | "resting" | "exhausted";

export const failuresBeforeRest = 5;

/**
 * All three must hold: a quiet endpoint has few attempts, and an outage of ours leaves hours
 * without any.
 */
export const exhausted = {
  sinceFirst: 72 * hourMs,
  attempts: 10,
  betweenFirstAndLast: 12 * hourMs,
};

/** `alive` ends the streak; `unknown` leaves it unchanged. */
export function streakAfter(
  streak: FailureStreak | undefined,
  endpoint: "alive" | "failed" | "unknown",
  at: Date,
): FailureStreak | undefined {
  if (endpoint === "unknown") return streak;
  if (endpoint === "alive") return undefined;
  return { failures: (streak?.failures ?? 0) + 1, firstAt: streak?.firstAt ?? at, lastAt: at };
}

export function healthOf(streak: FailureStreak | undefined, now: Date): EndpointHealth {
  if (!streak) return "working";
  const { failures, firstAt, lastAt } = streak;
  const old = now.getTime() - firstAt.getTime() >= exhausted.sinceFirst;
  const tried = lastAt.getTime() - firstAt.getTime() >= exhausted.betweenFirstAndLast;
  if (old && tried && failures >= exhausted.attempts) return "exhausted";
  return failures >= failuresBeforeRest ? "resting" : "failing";
}

/** In this order, one each per streak. */
export const healthNotices = ["failing-1h", "failing-24h", "failing-60h", "switched-off"] as const;
export type HealthNotice = (typeof healthNotices)[number];

export const noticeAfter: readonly (readonly [HealthNotice, milliseconds: number])[] = [
  ["failing-1h", hourMs],
  ["failing-24h", 24 * hourMs],
  ["failing-60h", 60 * hourMs],
];
/** A single lost message is no outage. */
export const failuresBeforeNotice = 3;

/**
 * The latest due notice, if later than the last one sent in this streak. Notices skipped by an
 * outage of ours are not sent.
 */
export function noticeDue(
  streak: FailureStreak | undefined,
  now: Date,
  sent: HealthNotice | undefined,
): HealthNotice | undefined {
  if (!streak || streak.failures < failuresBeforeNotice) return undefined;
  const age = now.getTime() - streak.firstAt.getTime();
  const due =
    healthOf(streak, now) === "exhausted"
      ? "switched-off"
      : noticeAfter.findLast(([, milliseconds]) => age >= milliseconds)?.[0];
  return due && (!sent || healthNotices.indexOf(due) > healthNotices.indexOf(sent))
    ? due
    : undefined;
}
