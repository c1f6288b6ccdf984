import path from "node:path";
import type { Page } from "playwright/test";
import { demoPeople } from "#simulator/demo-people";
import { expectAccessible } from "../support/accessible";
import { arriveAtClient } from "../support/arrive-at-client";
import { asked, type BusyPortal } from "../support/busy-portal";
import { openIndependentClient } from "../support/independent-client";
import { look } from "../support/look";
import { beSignedIn, signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

/** The subset for `npm test`. */
const smokePages = [
  ...["landing", "sign-in", "docs", "docs-endpoint", "docs-errors"],
  ...["application", "playground", "account", "connected-apps", "consent"],
];
const smoke = (name: string) => ({ tag: smokePages.includes(name) ? ["@smoke"] : [] });

/** Local addresses on the page, without its own. */
const linksOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("a")]
      .map(({ href }) => href.replace(/#.*/, ""))
      .filter((href) => href.startsWith(location.origin) && href !== location.href),
  );

/** Most links repeat on many pages; one visit is enough. */
const followed = new Set<string>();

async function inspect(page: Page, name: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(/Adjutant/);
  await look(page, name);
  for (const link of await linksOf(page)) {
    if (followed.has(link)) continue;
    followed.add(link);
    const answer = await page.request.get(link, { maxRedirects: 5 });
    expect([link, answer.status()]).toEqual([link, 200]);
  }
}

/** Takes the README's pictures: `UPDATE_PICTURES=1 npx playwright test pages`. */
async function pictureForReadme(page: Page, name: string): Promise<void> {
  if (!process.env.UPDATE_PICTURES) return;
  await page.setViewportSize({ width: 1280, height: 840 });
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: path.join(import.meta.dirname, `../../docs/images/${name}.png`) });
}

test("the header of a player who is signed in stays one line at every width, its links in reach", async ({
  page,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/account");
  for (const width of [360, 768, 1023, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const header = await page.getByRole("banner").boundingBox();
    expect(header?.height, `at ${width}`).toBeLessThan(60);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth),
      `at ${width}`,
    ).toBeLessThanOrEqual(width);
    const menu = page.getByRole("button", { name: /^Menu/ });
    if (width < 1024) await menu.click();
    const links = page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link")
      .filter({ visible: true });
    await expect(links).toHaveText([/^Faction/, "Players", "Stocks", "Developers", "Docs"]);
    // The open menu lies over the page.
    if (width < 1024) await expectAccessible(page, "all", "header");
    if (width < 1024) await menu.click();
  }
});

test("a strip of tabs stays at its start on a phone unless the open page is beyond it", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await beSignedIn(page, "developer");
  const strip = page.getByRole("navigation", { name: "Your account" });
  await page.goto("/account/apps");
  await page.waitForLoadState("load");
  expect(await strip.evaluate((nav) => nav.scrollLeft)).toBe(0);
  await page.goto("/account/security");
  await expect(strip.getByRole("link", { name: "Security" })).toBeInViewport({ ratio: 0.99 });
});

test.describe("in order on every screen, in both themes, for anybody:", () => {
  const pages = [
    ["landing", "/"],
    ["sign-in", "/sign-in"],
    ["sign-in-refused", "/sign-in?error=wrong-key"],
    ["sign-in-late", "/sign-in?request=00000000-0000-4000-8000-000000000000"],
    ["docs", "/docs"],
    ["docs-oauth", "/docs/oauth"],
    ["docs-scopes", "/docs/scopes"],
    ["docs-versioning", "/docs/versioning"],
    ["docs-changelog", "/docs/changelog"],
    ["docs-search", "/docs/search?q=user"],
    ["docs-api", "/docs/api"],
    ["docs-endpoint", "/docs/api/get-specific-user"],
    ["docs-endpoint-post", "/docs/api/create-faction-vault-request"],
    ["docs-endpoint-delete", "/docs/api/cancel-faction-vault-request"],
    ["docs-endpoint-deprecated", "/docs/api/get-faction-positions"],
    ["docs-events", "/docs/events"],
    ["docs-event", "/docs/events/vault_request.verified"],
    ["docs-event-everybody", "/docs/events/stocks.tick"],
    ["docs-webhooks", "/docs/webhooks"],
    ["docs-errors", "/docs/errors"],
    ["docs-error", "/docs/errors/4004"],
    ["docs-limits", "/docs/limits"],
    ["docs-estimates", "/docs/estimates"],
    ["docs-factions", "/docs/factions"],
    ["callback", "/oauth/00000000000000000000000000000000/callback?code=adj_ac_example&state=mine"],
    [
      "callback-denied",
      "/oauth/00000000000000000000000000000000/callback?error=access_denied&state=mine",
    ],
    ["not-found", "/nowhere"],
    ["authorize-error", "/oauth/authorize"],
  ] as const;
  for (const [name, address] of pages)
    test(name, smoke(name), async ({ page }) => {
      await page.goto(address);
      await inspect(page, name);
    });
});

test.describe("in order on every screen, in both themes, for who is signed in:", () => {
  test.use({ storageState: ({ portal }, use) => use(portal.developer) });
  const pages: [name: string, address: (portal: BusyPortal) => string][] = [
    ["new-application", () => "/developers/new"],
    ["application", ({ used }) => `/developers/apps/${used.clientId}`],
    ["application-settings", ({ used }) => `/developers/apps/${used.clientId}/settings`],
    ["application-credentials", ({ used }) => `/developers/apps/${used.clientId}/credentials`],
    ["application-requests", ({ used }) => `/developers/apps/${used.clientId}/requests`],
    [
      "application-requests-limited",
      ({ used }) => `/developers/apps/${used.clientId}/requests?outcome=limited`,
    ],
    ["application-failures", ({ used }) => `/developers/apps/${used.clientId}/failures`],
    ["application-tokens", ({ used }) => `/developers/apps/${used.clientId}/tokens`],
    ["application-webhooks", ({ used }) => `/developers/apps/${used.clientId}/webhooks`],
    ["application-webhooks-used", ({ asking }) => `/developers/apps/${asking.clientId}/webhooks`],
    ...(["", "/events", "/send", "/settings"] as const).map(
      (end): [string, (portal: BusyPortal) => string] => [
        `application-webhook${end.replace("/", "-")}`,
        ({ asking, endpointId }) =>
          `/developers/apps/${asking.clientId}/webhooks/${endpointId}${end}`,
      ],
    ),
    [
      "application-webhook-unknown",
      ({ asking }) => `/developers/apps/${asking.clientId}/webhooks/unknown`,
    ],
    ["application-team", ({ used }) => `/developers/apps/${used.clientId}/team`],
    ["application-history", ({ used }) => `/developers/apps/${used.clientId}/history`],
    ["application-danger", ({ used }) => `/developers/apps/${used.clientId}/danger`],
    ["application-unknown", () => `/developers/apps/${"0".repeat(32)}`],
    ["doctor", () => "/developers/doctor"],
    [
      "doctor-faults",
      ({ used }) =>
        `/developers/doctor?ask=${encodeURIComponent(`?client_id=${used.clientId}&scope=x&request=y&z=1`)}`,
    ],
    ["playground", () => "/developers/playground"],
    ["account", () => "/account"],
    ["connected-apps", () => "/account/apps"],
    ["connected-app", ({ used }) => `/account/apps/${used.clientId}`],
    ["add-key", () => "/sign-in?next=/account&for=key"],
    ["add-faction-key", () => "/sign-in?next=/faction&for=faction"],
    ["sessions", () => "/account/sessions"],
    ["notices", () => "/account/notices"],
    ["notifications", () => "/account/notifications"],
    ["history", () => "/account/history"],
    ["players", () => "/players"],
    ["players-found", () => "/players?q=a"],
    ["player", () => `/players/${demoPeople[0]?.playerId}`],
    ["player-unknown", () => "/players/2147483647"],
    ["stocks", () => "/stocks"],
    ["targets-wrong", () => "/faction/targets?limit=0&minimum_level=9&maximum_level=2"],
    ["no-admin", () => "/admin"],
    ["request-unknown", () => "/consent/00000000-0000-4000-8000-000000000000"],
  ];
  for (const [name, address] of pages)
    test(name, smoke(name), async ({ page, portal }) => {
      await page.goto(address(portal));
      await inspect(page, name);
    });

  test("request", async ({ page, portal }) => {
    await page.goto(`/developers/apps/${portal.used.clientId}/requests`);
    await page.getByRole("table", { name: "Last calls" }).getByRole("link").first().click();
    await page.waitForURL(/\/requests\/[^/]+$/);
    await inspect(page, "request");
  });

  test("what asks before an application is deleted", async ({ page, portal }) => {
    await page.goto(`/developers/apps/${portal.used.clientId}/danger`);
    await page.locator("summary", { hasText: "Delete application" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look(page, "delete-application-asks");
  });

  test("dashboard", async ({ page }) => {
    // Applications of other tests may fill the first page.
    await page.goto("/developers?sort=-calls");
    await expect(page.getByRole("row").filter({ hasText: "Muster Roll" })).toContainText("Healthy");
    await pictureForReadme(page, "dashboard");
    await inspect(page, "dashboard");
  });
});

test.describe("in order on every screen, in both themes, whatever one may do in a faction:", () => {
  for (const { role } of demoPeople)
    test(role, async ({ page }) => {
      await beSignedIn(page, role);
      for (const name of ["", "banking", "targets", "stats", "chat"]) {
        await page.goto(`/faction/${name}`);
        await inspect(page, `faction-${name || "board"}-${role}`);
      }
    });
});

test.describe("in order on every screen, in both themes, for who is asked:", () => {
  test("consent", smoke("consent"), async ({ page, portal, product }) => {
    const client = await openIndependentClient(product.url, portal.asking);
    await page.goto((await client.ask({ scope: asked.join(" ") })).url);
    await inspect(page, "sign-in-waiting");
    await signIn(page, "member");
    await pictureForReadme(page, "consent");
    await inspect(page, "consent");
    const consent = page.url();
    await arriveAtClient(page, () => page.getByRole("button", { name: "Deny" }).click());
    await page.goto(consent);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "You have already answered this request",
    );
    await inspect(page, "consent-decided");
  });

  test("consent of another player", async ({ page, portal, product }) => {
    const client = await openIndependentClient(product.url, portal.asking);
    await beSignedIn(page, "member");
    await page.goto((await client.ask()).url);
    const consent = page.url();
    await beSignedIn(page, "outsider");
    await page.goto(consent);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "This request belongs to another browser or player",
    );
    await inspect(page, "consent-foreign");
  });
});
