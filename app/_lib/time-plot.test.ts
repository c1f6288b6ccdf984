import { expect, test } from "vitest";
import { axisOf } from "./time-plot";

test.each([
  [[0, 100], undefined, [0, 50, 100]],
  [[5, 95], 0, [0, 50, 100]],
  [[102.5, 103.1], undefined, [102, 103, 104]],
  [[1_234, 8_765], undefined, [0, 5_000, 10_000]],
  [[7, 7, 7], undefined, [7, 7.05, 7.1]],
  [[0, 0], 0, [0, 1e-6, 2e-6]],
  [[], undefined, [0, 0.5, 1]],
])("an axis for %j that begins at %s runs over %j", (values, from, expected) => {
  const axis = axisOf(values, from);
  expect(axis.map((tick) => Number(tick.toPrecision(9)))).toEqual(expected);
});

test("every value lies on its axis, whatever the size of the values", () => {
  for (let exponent = -3; exponent < 13; exponent++)
    for (const spread of [1, 1.3, 1.9, 4.4, 77]) {
      const values = [3.3 * 10 ** exponent, 3.3 * spread * 10 ** exponent];
      const [low, middle, high] = axisOf(values);
      expect(low).toBeLessThanOrEqual(Math.min(...values) * (1 + 1e-9));
      expect(high).toBeGreaterThanOrEqual(Math.max(...values) * (1 - 1e-9));
      expect(middle - low).toBeCloseTo(high - middle, Math.max(0, 6 - exponent));
    }
});
