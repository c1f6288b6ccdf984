import { expect, type Page } from "playwright/test";
import { type DemoPerson, demoPersonOf } from "#simulator/demo-people";

/** Signs in by a click on the open sign-in page, or on a new one, and waits for the navigation. */
export async function signIn(page: Page, role: DemoPerson["role"]): Promise<void> {
  const isOpen = () => new URL(page.url()).pathname === "/sign-in";
  if (page.url() === "about:blank" || !isOpen()) await page.goto("/sign-in");
  await page
    .getByRole("main")
    .getByRole("button", { name: demoPersonOf(role).name })
    .click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

/** Signs in by the form's request alone, which saves the two pages of a sign-in by a click. */
export async function beSignedIn(page: Page, role: DemoPerson["role"]): Promise<void> {
  const { key } = demoPersonOf(role);
  const headers = { "sec-fetch-site": "same-origin" };
  const answer = await page.request.post("/sign-in/key", {
    ...{ headers, form: { game_key: key }, maxRedirects: 0 },
  });
  expect([answer.status(), answer.headers().location]).toEqual([303, "/start"]);
}
