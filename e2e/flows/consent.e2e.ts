import type { Page } from "playwright/test";
import { scopes } from "#server/scopes";
import { demoPersonOf } from "#simulator/demo-people";
import { arriveAtClient } from "../support/arrive-at-client";
import { asked } from "../support/busy-portal";
import { csrfOf } from "../support/call-portal";
import { look } from "../support/look";
import { openClient } from "../support/open-client";
import { beSignedIn, signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

const approve = (page: Page) => page.getByRole("button", { name: "Approve" }).click();

/** Posts the decision without following the redirect. */
const decide = (page: Page, fields: Record<string, string>) =>
  page.request.post(`${page.url()}/decision`, {
    form: { decision: "approve", ...fields },
    headers: { origin: new URL(page.url()).origin },
    maxRedirects: 0,
  });

test("prompt=none never shows a page: it needs a sign-in and a remembered consent (AZ-28)", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openClient(await newcomer(), product.url, { name: "Quiet Asker" });
  const quietly = async () => {
    const asked = await client.ask({ prompt: "none" });
    const { url, redirect } = await arriveAtClient(page, () => page.goto(asked.url));
    expect(redirect?.status()).toBe(303);
    expect(url.searchParams.get("iss")).toBe(client.server.issuer);
    expect(url.searchParams.get("state")).toBe(asked.state);
    return url.searchParams;
  };
  expect((await quietly()).get("error")).toBe("login_required");
  await signIn(page, "banker");
  expect((await quietly()).get("error")).toBe("consent_required");
  await page.goto((await client.ask()).url);
  await arriveAtClient(page, () => approve(page));
  const answer = await quietly();
  expect(answer.get("error")).toBeNull();
  expect(answer.get("code")).toMatch(/^adj_ac_/);
});

test("a form that does not come from the consent page approves nothing (AZ-37)", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openClient(await newcomer(), product.url, { name: "Forged Form" });
  await signIn(page, "banker");
  const asked = await client.ask();
  await page.goto(asked.url);
  const forged: Record<string, string>[] = [{}, { csrf: "" }, { csrf: "A".repeat(43) }];
  for (const fields of forged) {
    const answer = await decide(page, fields);
    expect([answer.status(), answer.headers().location]).toEqual([403, undefined]);
  }
  const { url } = await arriveAtClient(page, () => approve(page));
  expect(client.read(url, asked).get("code")).toBeTruthy();
});

test("a request is approved once, whatever else the form says (AZ-40, AZ-41)", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openClient(await newcomer(), product.url, { name: "Twice Sent" });
  await signIn(page, "banker");
  const asked = await client.ask();
  await page.goto(asked.url);
  const csrf = await csrfOf(page);
  const forged = { redirect_uri: "https://evil.test/cb", state: "forged", scope: "faction" };
  const answers = await Promise.all([1, 2, 3].map(() => decide(page, { csrf, ...forged })));
  const locations = answers.map((answer) => answer.headers().location ?? "");
  expect(answers.map((answer) => answer.status())).toEqual([303, 303, 303]);
  const codes = [...new Set(locations)];
  expect(codes).toEqual([expect.stringContaining("code=")]);
  const tokens = await client.exchange(client.read(new URL(codes[0] ?? ""), asked), asked);
  expect(tokens.scope).toBe("identity");

  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "You have already answered this request",
  );
});

test("after a sign-out, or as somebody else, a waiting request is not answered (AZ-42)", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openClient(await newcomer(), product.url, { name: "Left Waiting" });
  await signIn(page, "banker");
  await page.goto((await client.ask()).url);
  const consentPage = page.url();
  await page.request.post("/sign-out", {
    form: { csrf: await csrfOf(page) },
    headers: { origin: product.url },
  });
  const answer = await decide(page, { csrf: await csrfOf(page) });
  expect(answer.headers().location).toMatch(/^\/sign-in\?request=/);

  await page.goto("/sign-in");
  await signIn(page, "outsider");
  await page.goto(consentPage);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "This request belongs to another browser or player",
  );
});

test("where a consent is remembered, the sign-in alone leads on to the client (AZ-50)", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openClient(await newcomer(), product.url, { name: "Remembered Friend" });
  await signIn(page, "banker");
  await page.goto((await client.ask()).url);
  await page.getByRole("radio", { name: "30 days" }).check();
  await arriveAtClient(page, () => approve(page));
  await page.context().clearCookies({ name: "adjutant_session" });

  const asked = await client.ask();
  await page.goto(asked.url);
  expect(new URL(page.url()).pathname).toBe("/sign-in");
  const { url } = await arriveAtClient(page, () =>
    page.getByRole("button", { name: "Bruno_Vault" }).click(),
  );
  await client.exchange(client.read(url, asked), asked);
});

test("a request that nobody made has a page that says so, with 404", async ({ page }) => {
  await signIn(page, "banker");
  const answer = await page.goto("/consent/00000000-0000-4000-8000-000000000000");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no such request");
});

function askingFor(clientId: string, baseUrl: string): string {
  const request = {
    ...{
      response_type: "code",
      client_id: clientId,
      redirect_uri: `${baseUrl}/oauth/${clientId}/callback`,
    },
    ...{
      scope: asked.join(" "),
      state: "s",
      code_challenge: "A".repeat(43),
      code_challenge_method: "S256",
    },
  };
  return `/oauth/authorize?${new URLSearchParams(request)}`;
}

test("on a phone the answer is in reach at once, and all that is asked for stands within two screens, unfolded", async ({
  page,
  portal,
  product,
}) => {
  const screen = { width: 360, height: 740 };
  await page.setViewportSize(screen);
  await beSignedIn(page, "member");
  await page.goto(askingFor(portal.overlay.clientId, product.url));
  await expect(page.getByRole("button", { name: "Approve" })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("Make sure that you started this")).toBeInViewport({ ratio: 1 });
  const bar = await page.locator("[data-fixed-bar]").boundingBox();
  const seen = 2 * (bar?.y ?? 0);
  for (const { title } of scopes.filter(({ name }) => asked.includes(name))) {
    const box = await page
      .getByRole("main")
      .getByText(title, { exact: true })
      .first()
      .boundingBox();
    expect((box?.y ?? seen) + (box?.height ?? 0), title).toBeLessThanOrEqual(seen);
  }
  await expect(page.getByText("You get a code to copy into War Room Overlay.")).toBeInViewport({
    ratio: 1,
  });
  await look(page, "consent-public");
  await page.setViewportSize(screen);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Copy this code into War Room Overlay",
  );
  await expect(page.getByRole("main").getByRole("time")).toContainText(/^0:[0-5]\d/);
  await look(page, "callback-code");
});

test("five permissions and a warning fit a phone's screen, each with what it opens; the rest unfolds without script", async ({
  browser,
  portal,
  product,
}) => {
  const screen = { width: 360, height: 780 };
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: screen,
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await beSignedIn(page, "outsider");
  await page.goto(askingFor(portal.overlay.clientId, product.url));
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText(
    "War Room Overlay asks for access",
  );
  const { height } = (await page.locator("html").boundingBox()) ?? {
    height: Number.POSITIVE_INFINITY,
  };
  expect(height, "the height of the whole page").toBeLessThanOrEqual(screen.height);

  const { name, playerId } = demoPersonOf("outsider");
  const inSight = [
    /^By /,
    /Not verified/,
    "Make sure that you started this",
    `${name} [${playerId}]`,
  ];
  for (const text of [...inSight, /^You get a code to copy into/, /^Signed in as/])
    await expect(main.getByText(text).first()).toBeInViewport({ ratio: 1 });
  await expect(main.locator("summary", { hasText: "What it says about your data" })).toBeInViewport(
    { ratio: 1 },
  );
  const bar = await page.locator("[data-fixed-bar]").boundingBox();
  for (const entry of await main
    .getByRole("listitem")
    .filter({ has: page.locator("summary") })
    .all()) {
    const box = await entry.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0), await entry.innerText()).toBeLessThanOrEqual(
      bar?.y ?? 0,
    );
  }

  const folded = [
    ["Why", "cannot prove its identity"],
    ["What it allows", "Your player id, name, faction id, linked chat account and last action."],
    ["What it says about your data", "Nobody."],
  ] as const;
  for (const [summary, words] of folded) {
    await expect(main.getByText(words)).toBeHidden();
    await main.locator("summary").filter({ hasText: summary }).first().click();
    await expect(main.getByText(words)).toBeVisible();
  }
  await expect(main.getByRole("link", { name: "Privacy policy" })).toBeVisible();
  await context.close();
});

test("a player of a userscript goes on for another day by one click, without a key", async ({
  page,
  portal,
  product,
}) => {
  await beSignedIn(page, "loner");
  const address = askingFor(portal.overlay.clientId, product.url);
  await page.goto(address);
  await page.getByRole("radio", { name: "24 hours" }).check();
  await approve(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Copy this code into War Room Overlay",
  );

  await page.goto(address);
  await expect(page.getByLabel(/key/i)).toHaveCount(0);
  await expect(page.getByRole("radio", { name: "24 hours" })).toBeChecked();
  await approve(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Copy this code into War Room Overlay",
  );
});
