/** Wall-clock milliseconds of sequential calls, ascending. */
export async function latencies(calls: number, call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  while (times.length < calls) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b);
}

export const percentile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ??
  Number.NaN;

/** Limit for a call beside a background load: half a second and twenty times its usual time. */
export const undisturbed = async (call: () => Promise<unknown>): Promise<number> =>
  500 + 20 * percentile(await latencies(20, call), 0.5);
