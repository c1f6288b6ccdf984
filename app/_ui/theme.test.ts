import { expect, test } from "vitest";
import { parseTheme } from "./theme";

test("the reader's choice of theme is kept", () => {
  expect(parseTheme("light")).toBe("light");
  expect(parseTheme("dark")).toBe("dark");
});

test.each([undefined, "", "system", "Dark", '"><script>'])(
  "the cookie %j follows the system",
  (value) => {
    expect(parseTheme(value)).toBe("system");
  },
);
