/** Steps that people count in. */
const niceSteps = [1, 2, 2.5, 5, 10];

/** The smallest step of people's that is at least this. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * (niceSteps.find((step) => step * power >= least * (1 - 1e-9)) ?? 10);
}

/**
 * An axis of two even steps that holds all values: its lower end, middle and upper end.
 * @param from where it begins at the latest: 0 for amounts that are compared by their height
 */
export function axisOf(values: readonly number[], from?: number): readonly [low: number, middle: number, high: number] {
  const all = from === undefined ? values : [from, ...values];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (all.length === 0 || !Number.isFinite(most - least)) return [0, 0.5, 1];
  let step = niceStep(Math.max((most - least) / 2, Math.abs(most) / 200, 1e-6));
  for (;;) {
    const low = Math.floor(least / step + 1e-9) * step;
    if (low + 2 * step >= most * (1 - 1e-9)) return [low, low + step, low + 2 * step];
    step = niceStep(step * 1.01);
  }
}
