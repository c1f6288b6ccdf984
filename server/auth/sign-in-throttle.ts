import type { Context } from "#server/context";
import type { Limiter, LimitWindow } from "#server/platform/limiter/limiter";
import { type SignInRefusal, signInRefused } from "./sign-in-refused";

/** Failures a clock minute. */
export const failuresPerAddress = 10;
export const failuresPerAccount = 5;

/** What happened to the game or to the key is no guess at somebody's key, and is not held against who tries. */
const uncounted: readonly SignInRefusal[] = ["game-unavailable", "owner-unavailable", "key-just-changed", "throttled"];

/**
 * The windows that a try counts for when it fails.
 * @param address the peer's, or null where the mount cannot know it: such peers share one window
 * @param subject the account, or the key's fingerprint while no account is known
 */
export const signInWindows = (address: string | null, subject: string): readonly LimitWindow[] => [
  { policy: "sign-in-address", subject: address ?? "unknown", limit: failuresPerAddress },
  { policy: "sign-in-account", subject, limit: failuresPerAccount },
];

/** @throws SignInRefused "throttled" while one of the windows is used up; nothing is charged */
export async function assertNotThrottled({ limiter }: Pick<Context, "limiter">, windows: readonly LimitWindow[]) {
  for (const window of windows) {
    const state = await limiter.peek(window);
    if (state.remaining < 1) throw signInRefused("throttled", { retryAfter: state.reset });
  }
}

/** Charges a failed try, unless the failure is not the fault of who tries. */
export async function chargeFailure(limiter: Limiter, windows: readonly LimitWindow[], reason: SignInRefusal) {
  if (uncounted.includes(reason)) return;
  await Promise.all(windows.map((window) => limiter.take(window)));
}
