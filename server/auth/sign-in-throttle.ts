import type { Context } from "#server/context";
import type { Rates } from "#server/platform/environment-variables";
import type { LimitWindow } from "#server/platform/limiter/limiter";
import { networkOf } from "#server/platform/peer-address";
import {
  isSignInRefused,
  type SignInRefusal,
  type SignInRefused,
  signInRefused,
} from "./sign-in-refused";

/** Troubles of the game, the chat or the key are no guess at somebody's key, and do not count against the one who tries. */
const uncounted: readonly SignInRefusal[] = [
  "game-unavailable",
  "owner-unavailable",
  "key-just-changed",
  "throttled",
  "chat-off",
  "passkey-off",
  "chat-unavailable",
  "chat-declined",
];

/** @param address the client's, or null where the mount cannot know it: such clients share one window */
export const addressWindow = (rates: Rates, address: string | null): LimitWindow => ({
  policy: "sign-in-address",
  subject: networkOf(address),
  limit: rates.signInAddress,
});

/**
 * The windows that a try counts for when it fails.
 * @param subject the account, or the key's HMAC while no account is known
 */
export const signInWindows = (
  rates: Rates,
  address: string | null,
  subject: string,
): readonly LimitWindow[] => [
  addressWindow(rates, address),
  { policy: "sign-in-account", subject, limit: rates.signInAccount },
];

/**
 * Charges a question to the game about whose key it is, whatever comes of it: right tries alone could else use up the calls that
 * all players share.
 * @param subject the account, or the key's HMAC while no account is known
 * @throws SignInRefused "throttled"
 */
export async function chargeQuestion(
  { limiter, settings }: Pick<Context, "limiter" | "settings">,
  subject: string,
): Promise<void> {
  const { keyQuestions: limit } = settings.rates;
  const state = await limiter.take({ policy: "sign-in-questions", subject, limit });
  if (!state.allowed) throw signInRefused("throttled", { retryAfter: state.reset });
}

/**
 * Charges a try before anybody is asked, so that of tries at the same moment no more than the limit reach the game.
 * @returns takes the charge back: to be called when the try did not fail by the fault of who tries
 * @throws SignInRefused "throttled" where one of the windows is used up; nothing is charged then
 */
export async function chargeTry(
  { limiter, now }: Pick<Context, "limiter" | "now">,
  windows: readonly LimitWindow[],
): Promise<() => Promise<void>> {
  const chargedAt = now();
  const giveBack = async (charged: readonly LimitWindow[]) => {
    await Promise.all(charged.map((window) => limiter.giveBack(window, chargedAt)));
  };
  for (const [at, window] of windows.entries()) {
    const state = await limiter.take(window);
    if (state.allowed) continue;
    await giveBack(windows.slice(0, at));
    throw signInRefused("throttled", { retryAfter: state.reset });
  }
  return () => giveBack(windows);
}

/**
 * Charges a try, makes it, and takes the charge back where it did not fail by the fault of who tries.
 * @param onRefused is told why a try was refused that was made
 * @throws SignInRefused "throttled", and what `attempt` throws
 */
export async function chargedTry<Done>(
  ctx: Pick<Context, "limiter" | "now">,
  windows: readonly LimitWindow[],
  {
    attempt,
    onRefused,
  }: { attempt: () => Promise<Done>; onRefused: (refused: SignInRefused) => Promise<void> },
): Promise<Done> {
  const giveBack = await chargeTry(ctx, windows);
  try {
    const done = await attempt();
    await giveBack();
    return done;
  } catch (thrown) {
    const refused = isSignInRefused(thrown) ? thrown : undefined;
    if (!refused || !isCounted(refused.reason)) await giveBack();
    if (refused) await onRefused(refused);
    throw thrown;
  }
}

/** Whether a try that ended so counts as a guess. */
export const isCounted = (refusal: SignInRefusal): boolean => !uncounted.includes(refusal);
