/** How long a secret may be made to live, in days; a secret without a number lives until it is deleted. */
export const secretLifetimes = [30, 90, 365] as const;
export type SecretLifetime = (typeof secretLifetimes)[number];

const dayMilliseconds = 86_400_000;

/** When a secret that is made now ends; null: never. */
export const endOfSecret = (now: Date, days: SecretLifetime | null): Date | null =>
  days === null ? null : new Date(now.getTime() + days * dayMilliseconds);
