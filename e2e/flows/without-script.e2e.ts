import { demoPersonOf } from "#simulator/demo-people";
import { arriveAtClient } from "../support/arrive-at-client";
import { openClient } from "../support/open-client";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test.use({ javaScriptEnabled: false });

test("signing in, approving, denying and signing out need no script", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openClient(await newcomer(), product.url, { name: "Plain Text" });

  const approved = await client.ask();
  await page.goto(approved.url);
  await expect(page.getByText("Plain Text asks for access")).toBeVisible();
  await page.getByLabel("Torn API key").fill("NotARealKey00001");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByLabel("Torn API key")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("Plain Text asks for access")).toBeVisible();
  await page.getByLabel("Torn API key").fill(demoPersonOf("member").key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plain Text asks for access");
  const yes = await arriveAtClient(page, () =>
    page.getByRole("button", { name: "Approve" }).click(),
  );
  const tokens = await client.exchange(client.read(yes.url, approved), approved);
  expect((await client.callUser(tokens.access_token)).status).toBe(200);

  const denied = await client.ask({ prompt: "consent" });
  await page.goto(denied.url);
  const no = await arriveAtClient(page, () => page.getByRole("button", { name: "Deny" }).click());
  expect(no.url.searchParams.get("error")).toBe("access_denied");

  await page.goto("/account/apps");
  await page.getByRole("checkbox", { name: "Select Plain Text" }).check();
  await page.locator("summary", { hasText: "Revoke selected" }).click();
  await page.getByRole("button", { name: "Revoke selected" }).click();
  await expect(page.getByText("Access revoked.")).toBeVisible();

  await page.getByRole("button", { name: demoPersonOf("member").name }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  await page.goto("/account");
  expect(new URL(page.url()).pathname).toBe("/sign-in");
});

test("a double tap on Approve brings one code, by one redirect (AZ-41)", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openClient(await newcomer(), product.url, { name: "Double Tap" });
  const asked = await client.ask();
  await beSignedIn(page, "outsider");
  await page.goto(asked.url);
  // The first answer is held back: the second tap comes before the browser can follow it.
  const held: (string | undefined)[] = [];
  await page.route(
    "**/decision",
    async (route) => {
      const answer = await route.fetch({ maxRedirects: 0 });
      held.push(answer.headers().location);
    },
    { times: 1 },
  );
  const box = await page.getByRole("button", { name: "Approve" }).boundingBox();
  if (!box) throw new Error("There is no Approve to tap.");
  // Not by the locator, which would wait for the first tap's answer.
  const tap = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await tap();
  await expect.poll(() => held.length).toBe(1);
  const { url, redirect } = await arriveAtClient(page, tap);
  expect([redirect.status(), held]).toEqual([303, [url.href]]);
  const tokens = await client.exchange(client.read(url, asked), asked);
  expect((await client.callUser(tokens.access_token)).status).toBe(200);
});
