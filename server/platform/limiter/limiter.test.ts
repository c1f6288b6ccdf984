import { expect, test } from "vitest";
import { limiterContract } from "#server/testing/limiter-contract";
import { processLimiter } from "./limiter";

limiterContract("in the process", async (now) => processLimiter(now));

test("it says that nobody shares its counts", () => {
  expect(processLimiter(() => new Date()).status()).toEqual({ kind: "process", shared: false });
});
