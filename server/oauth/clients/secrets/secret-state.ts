import { dayMs, minuteMs } from "#server/platform/time";
import type { SecretRecord } from "./store";

/** How long a secret may be made to live, in days; a secret without a number lives until it is deleted. */
export const secretLifetimes = [30, 90, 365] as const;
export type SecretLifetime = (typeof secretLifetimes)[number];
/** When a secret that is made now ends; null: never. */
export const endOfSecret = (now: Date, days: SecretLifetime | null): Date | null =>
  days === null ? null : new Date(now.getTime() + days * dayMs);

/**
 * The state of a secret, which decides what its deletion would break:
 * - expired: it opens nothing any more
 * - only: the application has no other
 * - unused: nothing ever presented it
 * - in-use: it was used since the other one was, or the other one never was
 * - resting: the other one has been used since, but a server that still holds this one may only be between two refreshes
 * - replaced: the other one has been used since, and this one not for longer than an access token lives
 */
export type SecretState = "expired" | "only" | "unused" | "in-use" | "resting" | "replaced";

type Uses = Pick<SecretRecord, "id" | "lastUsedAt" | "expiresAt">;

/** Uses are noted to the minute: two within it are as good as at the same time. */
const blurMilliseconds = minuteMs;

/** Whether the secret opens nothing any more. */
export const hasEnded = ({ expiresAt }: Pick<Uses, "expiresAt">, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

/**
 * @param all the application's secrets, this one among them
 * @param refreshMilliseconds how long an access token lives: a server that is at work uses its secret once in that time
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
