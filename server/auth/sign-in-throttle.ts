import type { RequestSource } from "#server/actor";
import type { Context } from "#server/context";
import type { LimitWindow } from "#server/platform/limiter/limiter";
import { networkOf } from "#server/platform/peer-address";
import {
  isSignInRefused,
  type SignInRefusal,
  type SignInRefused,
  signInRefused,
} from "./sign-in-refused";

/** These refusals do not depend on a guess. */
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

type Trying = { readonly from: Pick<RequestSource, "address"> };

export const addressWindow = ({ settings }: Context, { from }: Trying): LimitWindow => ({
  policy: "sign-in-address",
  subject: networkOf(from.address),
  limit: settings.rates.signInAddress,
});

export const signInWindows = (ctx: Context, by: Trying, subject: string): LimitWindow[] => [
  addressWindow(ctx, by),
  { policy: "sign-in-account", subject, limit: ctx.settings.rates.signInAccount },
];

/** @throws SignInRefused "throttled" */
export async function chargeWithoutRefund(
  { limiter }: Pick<Context, "limiter">,
  window: LimitWindow,
): Promise<void> {
  const state = await limiter.take(window);
  if (!state.allowed) throw signInRefused("throttled", { retryAfter: state.reset });
}

/**
 * Limits successful tries, too, because they could use up the game's call budget.
 * @param subject the account, or the key's HMAC
 * @throws SignInRefused "throttled"
 */
export const chargeKeyCheck = (ctx: Context, subject: string): Promise<void> =>
  chargeWithoutRefund(ctx, {
    policy: "sign-in-questions",
    subject,
    limit: ctx.settings.rates.keyQuestions,
  });

/**
 * Charges before the try, so that concurrent tries cannot exceed the limit.
 * @returns a refund
 * @throws SignInRefused "throttled"
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
 * Refunds a try that succeeds, or fails through no fault of its sender.
 * @throws SignInRefused, errors of `attempt`
 */
export async function runChargedTry<Done>(
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
    if (!refused || uncounted.includes(refused.reason)) await giveBack();
    if (refused) await onRefused(refused);
    throw thrown;
  }
}
