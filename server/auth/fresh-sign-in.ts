import type { PortalUser } from "#server/actor";

/** Secrets, deletions and consent want an identity proved within this time, in seconds. */
export const freshSignInSeconds = 900;

const brand = Symbol.for("adjutant.sign-in-stale");

/** Whether the user proved who they are within the last 15 minutes. */
export const isFresh = (user: PortalUser, now: Date): boolean =>
  now.getTime() - user.authenticatedAt.getTime() < freshSignInSeconds * 1000;

/** @throws SignInStale when the last proof of identity is 15 minutes old or older */
export function assertFresh(user: PortalUser, now: Date): void {
  if (isFresh(user, now)) return;
  const error = new Error("Sign in again to do this: your last sign-in is more than 15 minutes ago.");
  throw Object.assign(error, { name: "SignInStale", [brand]: true });
}

/** Whether something thrown asks for a fresh sign-in. Told apart by brand: two copies of this module live in one process. */
export const isSignInStale = (thrown: unknown): thrown is Error =>
  typeof thrown === "object" && thrown !== null && brand in thrown;
