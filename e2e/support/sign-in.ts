import { expect, type Page } from "playwright/test";
import { type DemoPerson, demoPerson } from "#simulator/demo-people";

/** Signs in as a demo player by a click, on the sign-in page that is open or on a new one, and waits until it led on. */
export async function signIn(page: Page, role: DemoPerson["role"]): Promise<void> {
  const isOpen = () => new URL(page.url()).pathname === "/sign-in";
  if (page.url() === "about:blank" || !isOpen()) await page.goto("/sign-in");
  await page.getByRole("button", { name: demoPerson(role).name }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

/**
 * Signs in as a demo player by the form's request alone, for a test that opens a page of its own next. It saves the two pages
 * of a sign-in by a click.
 */
export async function beSignedIn(page: Page, role: DemoPerson["role"]): Promise<void> {
  const { key } = demoPerson(role);
  const headers = { "sec-fetch-site": "same-origin" };
  const send = () =>
    page.request.post("/sign-in/key", { headers, form: { game_key: key }, maxRedirects: 0 });
  let answer = await send();
  // Of one key the game is asked twenty times a minute at most, and on a fast machine more tests than that sign in with it.
  while (answer.status() === 429) {
    const wait = Number(answer.headers()["retry-after"]) * 1_000;
    await page.waitForTimeout(wait);
    answer = await send();
  }
  expect([answer.status(), answer.headers().location]).toEqual([303, "/start"]);
}
