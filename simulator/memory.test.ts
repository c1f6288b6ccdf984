import { expect, test } from "vitest";
import { createMemory } from "./memory";

test("what was made is not made again while it is remembered, and the oldest is forgotten first", () => {
  const memory = createMemory<number>(3);
  const made: number[] = [];
  const ask = (key: number) =>
    memory.through(key, () => {
      made.push(key);
      return key * 10;
    });
  expect([1, 2, 3, 1, 2, 3].map(ask)).toEqual([10, 20, 30, 10, 20, 30]);
  expect(made).toEqual([1, 2, 3]);
  ask(4);
  expect([ask(2), ask(3), ask(4)]).toEqual([20, 30, 40]);
  expect(made).toEqual([1, 2, 3, 4]);
  ask(1);
  memory.clear();
  ask(4);
  expect(made).toEqual([1, 2, 3, 4, 1, 4]);
});
