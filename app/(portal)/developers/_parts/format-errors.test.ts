import { expect, test } from "vitest";
import { formatErrors } from "./format-errors";

test("errors are said to be of the calls that were looked at, and no others", () => {
  expect(formatErrors({ calls: { count: 40, more: false }, errors: 1 })).toBe("2.5% of the calls");
  expect(formatErrors({ calls: { count: 1_000, more: true }, errors: 20 })).toBe("2% of the newest 1,000 calls");
  expect(formatErrors({ calls: { count: 0, more: false }, errors: 0 })).toBe("last 24 hours");
});
