import { expect, test } from "vitest";
import { formatDuration } from "#app/_lib/format";

test.each([
  [60, "1 minute"],
  [90, "90 seconds"],
  [3_600, "1 hour"],
  [5_400, "90 minutes"],
  [86_400, "1 day"],
  [180 * 86_400, "180 days"],
])("%d seconds are %s", (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});
