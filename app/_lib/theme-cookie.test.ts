import { expect, test } from "vitest";
import { themeCookie } from "#app/_ui/theme.tsx";
import { themeCookieName } from "#server/oauth/authorize/error-page";

test("the page of a refused authorization request reads the theme from the same cookie", () => {
  expect(themeCookieName).toBe(themeCookie);
});
