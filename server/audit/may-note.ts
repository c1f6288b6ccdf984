import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";

/** Refusals that one network may put into the audit log in a clock minute. */
const mostNoted = 60;

/**
 * Whether the refusal of a caller who proved nothing is written to the audit log. Anybody can be refused as often as they like:
 * without a bound one address could push what matters out of what an admin reads.
 */
export async function mayNoteRefusal({ limiter }: Pick<Context, "limiter">, address: string | null): Promise<boolean> {
  const state = await limiter.take({ policy: "refusals-noted", subject: networkOf(address), limit: mostNoted });
  return state.allowed;
}
