import type { Locator, Page } from "playwright/test";
import { demoPersonOf } from "#simulator/demo-people";
import { createSimulator } from "#simulator/simulator";
import { arriveAtClient } from "../support/arrive-at-client";
import { openIndependentClient } from "../support/independent-client";
import { look } from "../support/look";
import { callback, filledIn, type Registered } from "../support/register-application";
import { beSignedIn, signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`The Tab key does not reach ${control}.`);
}

/** Keyboard only. */
async function registerByKeyboard(page: Page, name: string): Promise<Registered> {
  const type = async (label: string, text: string) => {
    await tabTo(page, page.getByLabel(label));
    await page.keyboard.type(text);
  };
  await expect(page.locator('[aria-current="step"]')).toContainText("1");
  await tabTo(page, page.getByRole("radio", { name: /On a server/ }));
  await page.keyboard.press("Space");
  await type("Name", name);
  await type("Redirect URIs", callback);
  await expect(page.getByRole("checkbox", { name: /Ask who the player is/ })).toBeChecked();
  await tabTo(page, page.getByRole("button", { name: "Register", exact: true }));
  await page.keyboard.press("Enter");
  await expect(page.locator('[aria-current="step"]')).toContainText("2");
  await expect(page.getByRole("heading", { name: /Store the secret now/ })).toBeFocused();
  await expect(page.getByRole("status").filter({ has: page.locator("code") })).toHaveCount(0);
  const shown = (term: string) =>
    page.locator("dt", { hasText: term }).locator("+ dd code").innerText();
  return {
    clientId: await shown("Client ID"),
    clientSecret: await shown("Client secret"),
    redirectUri: callback,
  };
}

test("a double click registers one application", async ({ page }) => {
  const name = "Twice Clicked";
  await beSignedIn(page, "outsider");
  await page.goto("/developers/new");
  await page.getByRole("radio", { name: /On a server/ }).check();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Register", exact: true }).dblclick();
  await page.getByRole("link", { name: "Open the application" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.goto("/developers");
  await expect(page.getByRole("link", { name })).toHaveCount(1);
});

/** The chat id of the simulated game, digit for digit. */
async function chatIdInGame(playerId: number): Promise<string> {
  const game = createSimulator({ seed: 1, epoch: new Date() });
  const asked = new Request(`${game.baseUrl}/user/${playerId}/discord?key=${game.demoKeys.member}`);
  const text = await (await game.fetch(asked)).text();
  return /"discord_id":"?(\d+)/.exec(text)?.[1] ?? "";
}

test("a stranger gets from the landing page to an answered call", async ({
  page,
  newcomer,
  product,
}) => {
  const name = "First Lantern";
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
  await signIn(page, "developer");
  await page.goto("/developers");
  await page.getByRole("link", { name: "Register an application" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Register an application");
  const registered = await registerByKeyboard(page, name);
  const secret = registered.clientSecret ?? "";
  expect(secret).toMatch(/^adj_/);

  await test.step("the secret is shown once (PT-19)", async () => {
    const ends = ["", "/settings", "/credentials", "/requests", "/failures", "/tokens", "/danger"];
    const itsPages = ends.map((end) => `/developers/apps/${registered.clientId}${end}`);
    for (const path of ["/developers/new", "/developers", ...itsPages]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect(await page.content(), path).not.toContain(secret);
    }
  });

  const client = await openIndependentClient(product.url, registered);
  const player = await newcomer();
  const asked = await client.ask();

  await test.step("in test it asks its team and test players alone, until it is filled in and opened to players", async () => {
    const { clientUri, tosUri, privacyUri, privacy } = filledIn({ name });
    await page.goto(asked.url);
    await expect(page.getByText("Only its team and test players can approve it.")).toBeVisible();
    await look(page, "consent-in-test");
    await page.goto(`/developers/apps/${registered.clientId}`);
    await expect(
      page.getByText("In test: only its team and test players can approve it"),
    ).toBeVisible();
    await look(page, "application-in-test");
    await page.getByRole("link", { name: "Open the settings" }).click();
    await page.getByLabel("Home page").fill(clientUri);
    await page.getByLabel("Terms of service").fill(tosUri);
    await page.getByLabel("Privacy policy").fill(privacyUri);
    await page.getByLabel("What data do you collect?").fill(privacy.data);
    await page.getByLabel("What for?").fill(privacy.use);
    await page.getByLabel("For how long?").fill(privacy.retention);
    await page.getByLabel(/How can a player have it deleted/).fill(privacy.deletion);
    await page.getByLabel(/Who do you share it with/).fill(privacy.sharing);
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.locator("summary", { hasText: "Open to players" }).click();
    await page.getByRole("button", { name: "Open to players", exact: true }).click();
    await expect(page.getByText("Any player can approve it now.")).toBeVisible();
    await expect(
      page.getByText("In test: only its team and test players can approve it"),
    ).toBeHidden();
  });

  await test.step("a player who is signed out signs in, and comes back to the same request (AZ-46)", async () => {
    await player.goto(asked.url);
    await expect(player.getByText(`${name} asks for access`)).toBeVisible();
    const requestId = new URL(player.url()).searchParams.get("request");
    await signIn(player, "member");
    expect(new URL(player.url()).pathname).toBe(`/consent/${requestId}`);
  });

  await test.step("the page says who asks, for what, and where it leads (AZ-44)", async () => {
    const { privacy, privacyUri, tosUri } = filledIn({ name });
    await expect(player.getByRole("heading", { level: 1 })).toHaveText(`${name} asks for access`);
    const decision = player.getByRole("form", { name: "Your decision" });
    await expect(decision).toContainText("client.test");
    await expect(player.getByText("Know who you are")).toBeVisible();
    await expect(player.getByText("Your player id, name, faction id")).toBeVisible();
    await expect(player.getByRole("link", { name: "Privacy policy" })).toHaveAttribute(
      "href",
      privacyUri,
    );
    await expect(player.getByRole("link", { name: "Terms of service" })).toHaveAttribute(
      "href",
      tosUri,
    );
    await player.getByText("What it collects, what for").click();
    for (const statement of Object.values(privacy))
      await expect(player.getByText(statement)).toBeVisible();
  });

  const leaving = player.waitForResponse(/\/decision$/);
  const arrived = await arriveAtClient(player, () =>
    player.getByRole("button", { name: "Approve" }).click(),
  );

  await test.step("the code travels by a page that nothing keeps (AZ-33, AZ-35, AZ-49)", async () => {
    expect([...arrived.url.searchParams.keys()].sort()).toEqual(["code", "iss", "state"]);
    expect(arrived.url.searchParams.get("iss")).toBe(client.server.issuer);
    expect(arrived.url.origin + arrived.url.pathname + arrived.url.hash).toBe(callback);
    expect(await (await leaving).allHeaders()).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
  });

  const tokens = await client.exchange(client.read(arrived.url, asked), asked);
  expect(tokens).toMatchObject({ token_type: "bearer", scope: "identity", expires_in: 3600 });

  await test.step("the token opens the player's record, every digit of it", async () => {
    const answer = await client.callUser(tokens.access_token);
    const text = await answer.text();
    const { playerId, name: playerName } = demoPersonOf("member");
    expect(answer.status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      tid: playerId,
      username: `${playerName} [${playerId}]`,
    });
    const chatId = /"chat_id":\s*(\d+)/.exec(text)?.[1] ?? "";
    expect(chatId).toBe(await chatIdInGame(playerId));
    expect(BigInt(chatId)).toBeGreaterThan(2n ** 53n);
  });

  await test.step("a refresh replaces both tokens", async () => {
    const next = await client.refresh(tokens.refresh_token ?? "");
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect((await client.callUser(next.access_token)).status).toBe(200);
    expect((await client.callUser(tokens.access_token)).status).toBe(401);
  });
});
