/** How long each of these calls took, one after the other, on the clock of the wall; in milliseconds, the shortest first. */
export async function latencies(calls: number, call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  while (times.length < calls) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b);
}

/** The time within which this share of the calls was done. */
export const percentile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ??
  Number.NaN;

/**
 * What a call may take at most beside something that must not be in its way: half a second and twenty times its usual time, which
 * is long on a busy machine.
 */
export const undisturbed = async (call: () => Promise<unknown>): Promise<number> =>
  500 + 20 * percentile(await latencies(20, call), 0.5);
