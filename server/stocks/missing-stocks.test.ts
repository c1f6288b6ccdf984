import { expect, test } from "vitest";
import { isStillListed, missingStocks } from "./missing-stocks";

const now = new Date("2026-03-01T12:00:05Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

test("an answer lacks what is known and not in it", () => {
  const known = [1, 2, 3].map((stockId) => ({ stockId, missingSince: null }));
  expect(missingStocks(known, new Set([1, 3, 4]))).toEqual([known[1]]);
  expect(missingStocks(known, new Set([1, 2, 3]))).toEqual([]);
});

test.each([
  { since: null, awaited: true },
  { since: ago(60), awaited: true },
  { since: ago(3_599), awaited: true },
  { since: ago(3_600), awaited: false },
])("a stock that is missing since $since is awaited: $awaited", ({ since, awaited }) => {
  expect(isStillListed({ missingSince: since }, now)).toBe(awaited);
});
