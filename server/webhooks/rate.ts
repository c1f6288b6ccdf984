import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { TooManyRequests } from "#server/failures";

/** Requests that a developer has us make in a minute: verifications and tests. More would make a hammer of us. */
const attemptsAMinute = 10;
/** Each may queue a thousand messages. */
const replaysAMinute = 6;

async function charge(ctx: Context, policy: string, subject: string, limit: number): Promise<void> {
  const { allowed, reset } = await ctx.limiter.take({ policy, subject, limit });
  if (!allowed)
    throw TooManyRequests.because({ message: `Too many requests. Try again in ${reset} seconds.`, retryAfter: reset });
}

/** @throws TooManyRequests */
export const chargeAttempt = (ctx: Context, { accountId }: PortalUser): Promise<void> =>
  charge(ctx, "webhook-attempts", accountId, attemptsAMinute);

/** @throws TooManyRequests */
export const chargeReplay = (ctx: Context, { accountId }: PortalUser): Promise<void> =>
  charge(ctx, "webhook-replays", accountId, replaysAMinute);
