import type { Page } from "playwright/test";
import type { DemoPerson } from "#simulator/demo-people";
import { arriveAtClient } from "./arrive-at-client";
import type { IndependentClient } from "./independent-client";
import { beSignedIn } from "./sign-in";

/** Signs the player in, approves the request and returns the client's tokens. */
export async function connectApplication(
  page: Page,
  client: IndependentClient,
  role: DemoPerson["role"],
) {
  await beSignedIn(page, role);
  const asked = await client.ask();
  await page.goto(asked.url);
  const { url } = await arriveAtClient(page, () =>
    page.getByRole("button", { name: "Approve" }).click(),
  );
  const tokens = await client.exchange(client.read(url, asked), asked);
  return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? "" };
}
