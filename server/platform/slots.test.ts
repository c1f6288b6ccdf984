import { expect, test } from "vitest";
import { createSemaphore } from "./slots";

test("one more waits for its turn, first come, first served, and a second release gives nobody a turn", async () => {
  const semaphore = createSemaphore(2);
  const begun: string[] = [];
  const take = (name: string) =>
    semaphore.acquire().then((end) => {
      begun.push(name);
      return end;
    });
  const [first] = await Promise.all([take("first"), take("second")]);
  const [third, fourth] = [take("third"), take("fourth")];
  expect(begun).toEqual(["first", "second"]);
  first();
  first();
  const endThird = await third;
  expect(begun).toEqual(["first", "second", "third"]);
  endThird();
  await fourth;
  expect(begun).toEqual(["first", "second", "third", "fourth"]);
});
