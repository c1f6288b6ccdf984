import { expect, test } from "vitest";
import { countInFile } from "./count-in-file";

const count = countInFile(7);
const beforeAnyTest = count();

test("counts from its first number, also before the first test", () => {
  expect([beforeAnyTest, count(), count()]).toEqual([7, 8, 9]);
});

test("another file starts over, and this one goes on where it was", () => {
  const { testPath } = expect.getState();
  expect(testPath).toMatch(/count-in-file\.test\.ts$/);
  expect.setState({ testPath: "another.test.ts" });
  expect([count(), count()]).toEqual([7, 8]);
  expect.setState({ testPath });
  expect(count()).toBe(10);
});
