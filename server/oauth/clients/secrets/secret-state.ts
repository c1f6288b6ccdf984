import { dayMs, minuteMs } from "#server/platform/time";
import type { SecretRecord } from "./store";

/** Two secrets allow a rotation without an outage. */
export const mostSecrets = 2;

/** In days; a secret without a lifetime never expires. */
export const secretLifetimes = [30, 90, 365] as const;
export type SecretLifetime = (typeof secretLifetimes)[number];
export const endOfSecret = (now: Date, days: SecretLifetime | null): Date | null =>
  days === null ? null : new Date(now.getTime() + days * dayMs);

/**
 * - only: the application has no other live secret
 * - unused: never presented
 * - in-use: used later than the other secret
 * - resting: the other was used later, but a server with this secret may be between two refreshes
 * - replaced: the other was used later, and this secret not for an access token's lifetime
 */
export type SecretState = "expired" | "only" | "unused" | "in-use" | "resting" | "replaced";

type Uses = Pick<SecretRecord, "id" | "lastUsedAt" | "expiresAt">;

/** `lastUsedAt` has a resolution of one minute. */
const blurMilliseconds = minuteMs;

export const hasEnded = ({ expiresAt }: Pick<Uses, "expiresAt">, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

/**
 * @param refreshMilliseconds lifetime of an access token: an active server uses its secret once in
 * that time
 */
export function secretState(
  secret: Uses,
  all: readonly Uses[],
  { now, refreshMilliseconds }: { readonly now: Date; readonly refreshMilliseconds: number },
): SecretState {
  if (hasEnded(secret, now)) return "expired";
  const others = all.filter((other) => other.id !== secret.id && !hasEnded(other, now));
  if (others.length === 0) return "only";
  if (!secret.lastUsedAt) return "unused";
  const ownUse = secret.lastUsedAt.getTime();
  const otherUse = Math.max(...others.map(({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0));
  if (otherUse <= ownUse + blurMilliseconds) return "in-use";
  return now.getTime() - ownUse > refreshMilliseconds ? "replaced" : "resting";
}
