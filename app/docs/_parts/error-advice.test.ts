import { expect, test } from "vitest";
import { failureKinds } from "#server/failures";
import { errorAdvice } from "./error-advice";

test("every failure of the catalogue has its advice, and nothing else has", () => {
  const codes = new Set(failureKinds.map(({ code }) => code));
  expect([...errorAdvice.keys()].sort((a, b) => a - b)).toEqual([...codes].sort((a, b) => a - b));
});
