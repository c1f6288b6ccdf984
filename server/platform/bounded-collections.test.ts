import { expect, test } from "vitest";
import { createBoundedMap } from "./bounded-collections";

const heldBy = <Value>(map: { get(key: number): Value | undefined }, most: number) =>
  Array.from({ length: most }, (_, key) => key).filter((key) => map.get(key) !== undefined);

test("it holds the entries that were set last, and forgets the oldest first", () => {
  const map = createBoundedMap<number, string>(3);
  for (const key of [0, 1, 2]) map.set(key, "set");
  expect(heldBy(map, 9)).toEqual([0, 1, 2]);
  map.set(0, "set again");
  map.set(3, "set");
  expect(heldBy(map, 9)).toEqual([0, 2, 3]);
  expect(map.get(0)).toBe("set again");
});

test("what was deleted leaves its place, wherever it stood", () => {
  const map = createBoundedMap<number, true>(3);
  for (const key of [0, 1, 2, 3]) map.set(key, true);
  map.delete(1);
  map.delete(7);
  map.set(4, true);
  expect(heldBy(map, 9)).toEqual([2, 3, 4]);
  map.set(1, true);
  expect(heldBy(map, 9)).toEqual([1, 3, 4]);
});

test("it holds no more and no fewer after it was cleared", () => {
  const map = createBoundedMap<number, true>(3);
  for (let key = 0; key < 5; key++) map.set(key, true);
  map.clear();
  expect(heldBy(map, 20)).toEqual([]);
  for (let key = 5; key < 12; key++) map.set(key, true);
  expect(heldBy(map, 20)).toEqual([9, 10, 11]);
});

test("over very many entries the newest stay", () => {
  const map = createBoundedMap<number, number>(1_000);
  for (let key = 0; key < 50_000; key++) {
    map.set(key, key);
    if (key % 3 === 0) map.delete(key - 500);
  }
  const held = heldBy(map, 50_000);
  expect(held.length).toBeLessThanOrEqual(1_000);
  expect(held.filter((key) => key > 49_500)).toHaveLength(499);
});
