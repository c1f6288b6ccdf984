import type { webhookEndpoints } from "#db/schema/webhooks";
import { hourMs } from "#server/platform/time";

export type WebhookEndpoint = Readonly<typeof webhookEndpoints.$inferSelect>;

/** `gone`: 410. `asked`: `webhook-delivery: disable`. `exhausted`: no success for 72 h. */
export type DisabledReason = NonNullable<WebhookEndpoint["reason"]>;

export type FailureStreak = Pick<WebhookEndpoint, "failures" | "firstFailureAt" | "lastFailureAt">;

export const noFailures = {
  failures: 0,
  firstFailureAt: null,
  lastFailureAt: null,
  notice: null,
  failedTypes: [],
  probeAt: null,
  paceMs: null,
  paced: 0,
  pacedUntil: null,
};

/** `resting`: gets only probes and types that have not failed. `exhausted`: will be disabled. */
export type EndpointHealth = "working" | "failing" | "resting" | "exhausted";

export const failuresBeforeRest = 5;

/** All must hold, because a quiet endpoint has few attempts and our own outage leaves a gap. */
export const exhaustionThresholds = {
  sinceFirst: 72 * hourMs,
  attempts: 10,
  betweenFirstAndLast: 12 * hourMs,
};

export function healthOf(
  { failures, firstFailureAt: first, lastFailureAt: last }: FailureStreak,
  now: Date,
): EndpointHealth {
  if (!first || !last) return "working";
  const old = now.getTime() - first.getTime() >= exhaustionThresholds.sinceFirst;
  const tried = last.getTime() - first.getTime() >= exhaustionThresholds.betweenFirstAndLast;
  if (old && tried && failures >= exhaustionThresholds.attempts) return "exhausted";
  return failures >= failuresBeforeRest ? "resting" : "failing";
}

export type HealthNotice = NonNullable<WebhookEndpoint["notice"]>;

/** Each notice is sent once per failure streak, in this order. */
export const noticeThresholds: readonly (readonly [HealthNotice, milliseconds: number])[] = [
  ["failing-1h", hourMs],
  ["failing-24h", 24 * hourMs],
  ["failing-60h", 60 * hourMs],
];
const healthNotices: readonly HealthNotice[] = [
  ...noticeThresholds.map(([notice]) => notice),
  "switched-off",
];
/** A single lost message is no outage. */
export const failuresBeforeNotice = 3;

/** If several notices fell due during an outage of ours, only the latest is sent. */
export function findDueNotice(
  endpoint: FailureStreak & Pick<WebhookEndpoint, "notice">,
  now: Date,
): HealthNotice | undefined {
  const { failures, firstFailureAt, notice: sent } = endpoint;
  if (!firstFailureAt || failures < failuresBeforeNotice) return undefined;
  const age = now.getTime() - firstFailureAt.getTime();
  const due =
    healthOf(endpoint, now) === "exhausted"
      ? "switched-off"
      : noticeThresholds.findLast(([, milliseconds]) => age >= milliseconds)?.[0];
  return due && (!sent || healthNotices.indexOf(due) > healthNotices.indexOf(sent))
    ? due
    : undefined;
}
