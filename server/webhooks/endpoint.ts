import type { webhookEndpoints } from "#db/schema/webhooks";
import type { Context } from "#server/context";
import type { CappedCount } from "#server/platform/paging";
import type { EndpointHealth, FailureStreak } from "./endpoint-health";
import type { WebhookSecrets } from "./signature";

/** `gone`: 410. `asked`: `webhook-delivery: disable`. `exhausted`: no success for 72 h. */
export type DisabledReason = NonNullable<WebhookEndpoint["reason"]>;

export type WebhookEndpoint = Readonly<typeof webhookEndpoints.$inferSelect>;

/** `types`: the chosen ones; `grant.ended` and `events.gap` are always sent. */
export interface EndpointView
  extends Pick<
    WebhookEndpoint,
    | ("url" | "description" | "types" | "version" | "state" | "reason" | "stateSince")
    | ("createdAt" | "failures" | "lastSuccessAt" | "secretSince" | "previousUntil")
  > {
  readonly endpointId: string;
  readonly health: EndpointHealth;
  readonly failingSince: Date | null;
  readonly waiting: CappedCount;
  /** It was sealed under a lost server secret and must be rotated. */
  readonly secretLost: boolean;
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
