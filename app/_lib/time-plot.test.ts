import { expect, test } from "vitest";
import { axisOf, timePlot } from "./time-plot";

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

test.each([
  [
    [0, 1],
    [0, 1, 2],
  ],
  [
    [0, 0],
    [0, 1, 2],
  ],
  [
    [0, 5],
    [0, 5, 10],
  ],
  [
    [0, 45],
    [0, 25, 50],
  ],
])("no tick of an axis for the counts %j is a half", (values, expected) => {
  expect(axisOf(values, 0, true)).toEqual(expected);
});

const at = (hours: number) => ({ at: new Date(hours * 3_600_000), value: 1 });
const namesAlong = (hours: readonly number[]) =>
  timePlot(hours.map(at), { value: String, tick: String }).along.map(({ name }) => name);

test("an hour is named by its quarters, a day by its hours, weeks by their days, a year by its ends", () => {
  expect(namesAlong([8.1, 9.05])).toEqual(["09:00", "08:45", "08:30", "08:15"]);
  expect(namesAlong([8, 31])).toEqual(["06:00", "00:00", "18:00", "12:00"]);
  expect(namesAlong([0, 24 * 6])).toEqual(["7 Jan", "5 Jan", "3 Jan", "1 Jan"]);
  expect(namesAlong([0, 24 * 365])).toEqual(["1 Jan 1970", "1 Jan 1971"]);
});

test("the last value of a step that has not ended is marked", () => {
  const { points } = timePlot([at(0), at(1)], { value: String, tick: String, running: true });
  expect(points.map(({ running }) => running)).toEqual([undefined, true]);
  expect(points.map(({ label }) => label.endsWith("UTC, so far"))).toEqual([false, true]);
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
