import { expect, test } from "vitest";
import { themeCookie } from "#app/_ui/theme.tsx";
import { themeCookieName } from "#server/platform/plain-page";

test("a page that Next does not render reads the theme from the same cookie", () => {
  expect(themeCookieName).toBe(themeCookie);
});
