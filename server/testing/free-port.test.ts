import { expect, test } from "vitest";
import { freePort } from "./free-port";

test("of many ports asked for at once none is given twice, and none is one that the system gives to others", async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, freePort));
  expect(new Set(ports).size).toBe(300);
  expect(ports.filter((port) => port >= 32_768)).toEqual([]);
});
