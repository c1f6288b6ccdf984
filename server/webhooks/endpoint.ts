import type { Context } from "#server/context";
import type { CappedCount } from "#server/platform/paging";
import type { EndpointHealth, FailureStreak, HealthNotice } from "./endpoint-health";
import type { WebhookSecrets } from "./signature";

export type EndpointState = "unverified" | "enabled" | "paused" | "disabled";

/** `gone`: 410. `asked`: `webhook-delivery: disable`. `exhausted`: no success for 72 h. */
export type DisabledReason = "gone" | "asked" | "exhausted";

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

export interface EndpointView {
  readonly endpointId: string;
  readonly url: string;
  readonly description: string;
  /** The chosen ones; `grant.ended` and `events.gap` are always sent. */
  readonly types: readonly string[];
  readonly version: string;
  readonly state: EndpointState;
  readonly reason: DisabledReason | null;
  readonly stateSince: Date;
  readonly createdAt: Date;
  readonly health: EndpointHealth;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly waiting: CappedCount;
  readonly secretSince: Date;
  /** It was sealed under a lost server secret and must be rotated. */
  readonly secretLost: boolean;
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

/** Bound to the endpoint: it cannot be opened in another row. */
export const sealSecret = ({ keyring }: Sealing, secret: string, endpointId: string): string =>
  keyring.seal("webhook-secret", secret, endpointId);

export const hasPrevious = (
  { previousSecret, previousUntil }: Pick<WebhookEndpoint, "previousSecret" | "previousUntil">,
  now: Date,
): boolean => previousSecret !== null && previousUntil !== null && previousUntil > now;

export const isSecretLost = (
  { keyring }: Sealing,
  { secret }: Pick<WebhookEndpoint, "secret">,
): boolean => !keyring.keyIds.includes(secret.slice(0, secret.indexOf(".")));

/** Newest first. @throws if no server secret in force opens them */
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
