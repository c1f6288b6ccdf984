import type { Context } from "#server/context";
import type { CappedCount } from "#server/platform/paging";
import type { EndpointHealth, FailureStreak, HealthNotice } from "./endpoint-health";
import type { WebhookSecrets } from "./signature";

export type EndpointState = "unverified" | "enabled" | "paused" | "disabled";

/**
 * Why an endpoint is disabled: `gone` (410), `asked` (`webhook-delivery: disable`), `exhausted` (no success for 72 h), `secret-lost`
 * (no server secret in force opens its secret).
 */
export type DisabledReason = "gone" | "asked" | "exhausted" | "secret-lost";

/** An endpoint as it is stored. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly clientId: string;
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
  readonly version: string;
  readonly secret: string;
  readonly secretSince: Date;
  readonly previousSecret: string | null;
  readonly previousUntil: Date | null;
  readonly state: EndpointState;
  readonly reason: DisabledReason | null;
  readonly stateSince: Date;
  readonly createdAt: Date;
  readonly verifiedAt: Date | null;
  readonly seq: number;
  readonly waiting: number;
  readonly failures: number;
  readonly firstFailureAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly notice: HealthNotice | null;
  readonly lastSuccessAt: Date | null;
  readonly failedTypes: readonly string[];
  readonly probeAt: Date | null;
  readonly paceMs: number | null;
  readonly paced: number;
  readonly pacedUntil: Date | null;
  readonly slow: boolean;
  readonly generation: number;
}

/** An endpoint as its developer sees it. */
export interface EndpointView {
  readonly endpointId: string;
  readonly url: string;
  readonly description: string;
  /** Those that were chosen; `grant.ended` and `events.gap` are sent besides. */
  readonly types: readonly string[];
  readonly version: string;
  readonly state: EndpointState;
  /** Why it is disabled. */
  readonly reason: DisabledReason | null;
  readonly stateSince: Date;
  readonly createdAt: Date;
  readonly health: EndpointHealth;
  /** Failures since the last good answer, and since when. */
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  /** Messages that wait: new ones, and those that failed. */
  readonly waiting: CappedCount;
  readonly secretSince: Date;
  /** Nothing can be signed before the secret is rotated: it went with a server secret. */
  readonly secretLost: boolean;
  /** Until when the secret before it signs as well; null where there is none. */
  readonly previousUntil: Date | null;
}

export const streakOf = ({
  failures,
  firstFailureAt,
  lastFailureAt,
}: Pick<WebhookEndpoint, "failures" | "firstFailureAt" | "lastFailureAt">):
  | FailureStreak
  | undefined =>
  failures > 0 && firstFailureAt && lastFailureAt
    ? { failures, firstAt: firstFailureAt, lastAt: lastFailureAt }
    : undefined;

/** Columns of an endpoint that has no failures. */
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

type Sealing = Pick<Context, "keyring">;

/** Seals a secret for one endpoint: in another row it cannot be opened. */
export const sealSecret = ({ keyring }: Sealing, secret: string, endpointId: string): string =>
  keyring.seal("webhook-secret", secret, endpointId);

/** Whether the secret before the last rotation still signs. */
export const hasPrevious = (
  { previousSecret, previousUntil }: Pick<WebhookEndpoint, "previousSecret" | "previousUntil">,
  now: Date,
): boolean => previousSecret !== null && previousUntil !== null && previousUntil > now;

/** Whether the secret can be read no more: it was sealed under a server secret that is not in force. */
export const isSecretLost = (
  { keyring }: Sealing,
  { secret }: Pick<WebhookEndpoint, "secret">,
): boolean => !keyring.keyIds.includes(secret.slice(0, secret.indexOf(".")));

/** The secrets that sign now, the newest first. @throws when no server secret in force opens them */
export function openSecrets(
  ctx: Sealing,
  endpoint: Pick<WebhookEndpoint, "id" | "secret" | "previousSecret" | "previousUntil">,
  now: Date,
): WebhookSecrets {
  const open = (sealed: string) => ctx.keyring.open("webhook-secret", sealed, endpoint.id);
  const { secret, previousSecret } = endpoint;
  return previousSecret !== null && hasPrevious(endpoint, now)
    ? [open(secret), open(previousSecret)]
    : [open(secret)];
}
