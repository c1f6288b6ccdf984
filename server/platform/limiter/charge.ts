import { TooManyRequests } from "#server/failures";
import type { Limiter, LimitWindow } from "./limiter";

/**
 * For acts of the portal; never refunded.
 * @param what for a sentence of its own: "invitations"
 * @throws TooManyRequests
 */
export async function charge(
  { limiter }: { readonly limiter: Pick<Limiter, "take"> },
  window: LimitWindow,
  what?: string,
): Promise<void> {
  const { allowed, reset } = await limiter.take(window);
  if (allowed) return;
  throw TooManyRequests.because({
    ...(what !== undefined && { message: `Too many ${what}. Try again in ${reset} seconds.` }),
    retryAfter: reset,
  });
}
