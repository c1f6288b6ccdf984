import { expect, test } from "vitest";
import { errorsInWords } from "./errors-in-words";

test("errors are said to be of the calls that were looked at, and no others", () => {
  expect(errorsInWords({ calls: { count: 40, more: false }, errors: 1 })).toBe("2.5% of the calls");
  expect(errorsInWords({ calls: { count: 1_000, more: true }, errors: 20 })).toBe("2% of the newest 1,000 calls");
  expect(errorsInWords({ calls: { count: 0, more: false }, errors: 0 })).toBe("last 24 hours");
});
