import { apiPrefix } from "#server/machine-path";
import { type CallApi, listUnreal, type Unreal } from "#server/testing/demo-answers";
import { startProduct } from "#server/testing/product";
import { demoPersonOf } from "#simulator/demo-people";
import { look, threeWidths } from "../support/look";
import { callback } from "../support/register-application";
import { beSignedIn } from "../support/sign-in";
import { test as base, expect } from "../support/test";
import { openVisitor } from "../support/visitor";

/** With a running demo world, as `npm start` opens it. */
const test = base.extend<object, object>({
  product: [
    async ({ playwright: _playwright }, use) => {
      const product = await startProduct({ DEMO: "1" });
      await use(product);
      await product.stop();
    },
    // For start and end: a busy machine reads the world many times slower.
    { scope: "worker", timeout: 700_000 },
  ],
});

/** A busy machine reads the world many times slower than the minute that it takes alone. */
const filled = { timeout: 600_000 };

test("on an empty data directory every operation comes to answer the demo's developer with something real", async ({
  product,
}) => {
  test.setTimeout(800_000);
  const visitor = await openVisitor(product.url, demoPersonOf("developer").key);
  const asked = { redirectUri: callback, scopes: ["identity", "faction", "service_key:usage"] };
  const client = await visitor.register({ name: "First minute", ...asked });
  const { accessToken } = await visitor.authorize(client, asked);
  const call: CallApi = (path, init = {}) => {
    const headers = { ...init.headers, authorization: `Bearer ${accessToken}` };
    return fetch(`${product.url}${apiPrefix}${path}`, { ...init, headers });
  };
  let unreal: readonly Unreal[] | undefined;
  await expect(async () => {
    unreal = await listUnreal(
      call,
      unreal?.map(({ title }) => title),
    );
    expect(unreal).toEqual([]);
  }).toPass({ ...filled, intervals: [2_000] });
  const seconds = process.uptime().toFixed(0);
  test.info().annotations.push({
    type: "seconds",
    description: `all operations real, ${seconds} s after the worker began`,
  });
});

test("a newcomer presses a button of the demo, and sees it arrive without loading the page again", async ({
  page,
}) => {
  test.setTimeout(800_000);
  await beSignedIn(page, "member");
  await page.goto("/");
  await page.getByText("Signed in as Cleo_Marsh").click();
  await page.getByRole("link", { name: "Demo", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Demo", exact: true })).toBeVisible();
  await look(page, "demo");
  // Refused until the members are read.
  await expect(async () => {
    await page.goto("/demo");
    await page.getByRole("button", { name: "Attack" }).click();
    await expect(page.getByText("The attack is over.")).toBeVisible({ timeout: 5_000 });
  }).toPass(filled);
  const opened = page.getByRole("link", { name: "retaliation.opened" });
  await expect(opened.first()).toBeVisible(filled);
  await page.goto("/faction");
  // The board refreshes itself; on a slow machine this hit may be over, and the next one is
  // awaited.
  await expect(
    page.getByRole("status").filter({ hasText: /[1-9]\d* open retaliations?/ }),
  ).toBeAttached(filled);
  await expect(page.getByText(/\d:\d\d left/).first()).toBeVisible();
  await look(page, "faction-board-alive");
  await page.goto("/demo");
  await expect(page.getByText("Still reading the world")).toBeHidden(filled);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByRole("link", { name: "vault_request.verified" }).first()).toBeVisible(
    filled,
  );
  await look(page, "demo-alive");
  await page.getByRole("button", { name: "Raise the price" }).click();
  await expect(page.getByText(/^The price of [A-Z]+ rises with the next tick/)).toBeVisible();
  await page.getByRole("link", { name: /^Stock [A-Z]+$/ }).click();
  await expect(page.getByRole("heading", { name: "Last 30 days" })).toBeVisible();
});

test("pages of a world that is read are in order on every screen, in both themes", async ({
  page,
}) => {
  test.setTimeout(800_000);
  await beSignedIn(page, "banker");
  const rows = page.getByRole("main").getByRole("rowheader");
  await expect(async () => {
    await page.goto("/faction/targets?sort=-respect");
    await expect(rows.first()).toBeVisible();
  }).toPass(filled);
  await look(page, "targets-filled", threeWidths);
  await rows.first().getByRole("link").click();
  await expect(page).toHaveTitle(/ \[\d+\] · Adjutant$/);
  await expect(page.getByRole("table", { name: "Scores, newest first" })).toBeVisible();
  await look(page, "player-with-scores");
  await page.goto("/stocks?sort=-m1");
  await look(page, "stocks-sorted");
  await rows.first().getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Last 30 days" })).toBeVisible();
  await look(page, "stock");
  for (const name of ["", "/banking", "/banking/ledger", "/stats", "/chat"]) {
    await page.goto(`/faction${name}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await look(page, `faction${name.replaceAll("/", "-")}-filled`, threeWidths);
  }
});
