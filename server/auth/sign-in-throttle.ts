import type { Context } from "#server/context";
import type { Limiter, LimitWindow } from "#server/platform/limiter/limiter";
import { type SignInRefusal, type SignInRefused, signInRefused } from "./sign-in-refused";

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

/**
 * Charges a failed try, unless the failure is not the fault of who tries.
 * @returns the refusal to answer with: of tries at the same moment, those beyond the limit learn nothing about their keys
 */
export async function chargeFailure(limiter: Limiter, windows: readonly LimitWindow[], refused: SignInRefused) {
  if (uncounted.includes(refused.reason)) return refused;
  const states = await Promise.all(windows.map((window) => limiter.take(window)));
  const spent = states.find((state) => !state.allowed);
  return spent ? signInRefused("throttled", { retryAfter: spent.reset }) : refused;
}
