import { expect, test } from "vitest";
import { limiterContract } from "#server/testing/limiter-contract";
import { createProcessLimiter } from "./limiter";

limiterContract("in the process", async (now) => createProcessLimiter(now));

test("it says that nobody shares its counts", () => {
  expect(createProcessLimiter(() => new Date()).status()).toEqual({
    kind: "process",
    shared: false,
  });
});
