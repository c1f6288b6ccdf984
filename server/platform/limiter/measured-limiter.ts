import type { Count } from "../metrics/families";
import type { Metrics } from "../metrics/metrics";
import type { Limiter } from "./limiter";

/** Counts what a limiter says, by policy. The counts are kept by policy, because every call of the API is charged. */
export function measuredLimiter(limiter: Limiter, { limiterCharges }: Pick<Metrics, "limiterCharges">): Limiter {
  const counts = new Map<string, { readonly allowed: Count; readonly refused: Count }>();
  const countsOf = (policy: string) => {
    const known = counts.get(policy);
    if (known) return known;
    const made = { allowed: limiterCharges.of(policy, "allowed"), refused: limiterCharges.of(policy, "refused") };
    counts.set(policy, made);
    return made;
  };
  return {
    ...limiter,
    take: async (window) => {
      const state = await limiter.take(window);
      const count = countsOf(window.policy);
      if (state.allowed) count.allowed.inc();
      else count.refused.inc();
      return state;
    },
  };
}
