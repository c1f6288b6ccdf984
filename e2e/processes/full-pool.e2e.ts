import { sql } from "drizzle-orm";
import type { Page } from "playwright/test";
import { openPostgres } from "#db/client";
import { type RunningPostgres, startPostgres } from "#server/testing/postgres";
import { startProduct } from "#server/testing/product";
import { demoPersonOf } from "#simulator/demo-people";
import { look } from "../support/look";
import { RecordingVisitor } from "../support/recording-visitor";
import { registerApplication } from "../support/register-application";
import { beSignedIn } from "../support/sign-in";
import { test as base, expect } from "../support/test";

/** More than the pool's connections, so some visitors wait and get none. */
const visitors = 12;
const each = <Result>(act: () => Promise<Result>) =>
  Promise.all(Array.from({ length: visitors }, act));

const test = base.extend<object, { postgres: RunningPostgres }>({
  postgres: [
    async ({ playwright: _playwright }, use) => {
      const postgres = await startPostgres();
      await use(postgres);
      await postgres.stop();
    },
    { scope: "worker" },
  ],
  product: [
    async ({ postgres }, use) => {
      const SERVER_SECRET = "only-Tests-use-this-Secret-0123456789-abcdefghijkl";
      const product = await startProduct({
        DATABASE_URL: postgres.url("postgres"),
        SERVER_SECRET,
        JOBS: "off",
      });
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: 700_000 },
  ],
});

/** Blocks every statement on a table during `act`, so that connections run out. */
async function whileLocked(
  postgres: RunningPostgres,
  table: string,
  act: () => Promise<void>,
): Promise<void> {
  const outside = openPostgres({ url: postgres.url("postgres"), deadline: 120_000 });
  await outside.transaction(async (tx) => {
    await tx.execute(sql`lock table ${sql.identifier(table)} in access exclusive mode`);
    await act();
  });
  await outside.close();
}

test("pages that find every connection in use are answered with 503 and when to come again", async ({
  postgres,
  product,
}) => {
  const visitor = new RecordingVisitor(product.url, new Map());
  const cookie = await visitor.signIn(demoPersonOf("developer").key);
  const visit = async () => {
    const answer = await fetch(`${product.url}/account`, {
      headers: { cookie },
      redirect: "manual",
    });
    await answer.text();
    return [answer.status, answer.headers.get("retry-after")];
  };
  expect(await visit()).toEqual([200, null]);
  await whileLocked(postgres, "game_keys", async () => {
    const answers = await each(visit);
    expect(answers).toEqual(answers.map(() => [503, "5"]));
  });
  expect(await visit()).toEqual([200, null]);
});

test("forms that find every connection in use are answered with 503, lead back to what was typed, and wrote nothing", async ({
  postgres,
  product,
}) => {
  const visitor = new RecordingVisitor(product.url, new Map());
  await visitor.signIn(demoPersonOf("member").key);
  const vault = async () => (await visitor.visit("/faction/banking")).text();
  // The demo faction is linked with its chat in parallel with the first requests.
  await expect.poll(vault).toContain('name="amount"');
  const csrf = /name="csrf" value="([^"]+)"/.exec(await vault())?.[1] ?? "";
  const wanted = { amount: "1.5m", currency: "money_balance", waits: "30m" };
  const send = () => {
    const body = new URLSearchParams({ csrf, ...wanted });
    return visitor.visit("/faction/banking/request", { method: "POST", body });
  };
  await whileLocked(postgres, "vault_requests", async () => {
    for (const answer of await each(send)) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      const page = await answer.text();
      expect(page).toContain("<h1>That did not work</h1>");
      expect(page).toContain(
        `href="/faction/banking?${new URLSearchParams(wanted).toString().replaceAll("&", "&#38;")}"`,
      );
    }
  });
  expect((await send()).headers.get("location")).toMatch(/^\/faction\/banking\?done=requested/);
  const outside = openPostgres({ url: postgres.url("postgres") });
  expect(await outside.query.execute(sql`select amount from vault_requests`)).toHaveLength(1);
  await outside.close();
});

/** The list is streamed after the answer has begun, so the status is always 200. */
const list = async (page: Page) => {
  await page.goto("/developers");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Applications");
};

test("a page that fails after its answer began says so, and shows what was missing when it is tried again", async ({
  browser,
  postgres,
  product,
}) => {
  // The fixture's page would report the expected failure as a fault.
  const page = await (await browser.newContext({ baseURL: product.url })).newPage();
  await beSignedIn(page, "developer");
  const cookie = (await page.context().cookies())
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
  await list(page);
  await registerApplication(page, { name: "Held Up" });
  await list(page);
  await expect(page.getByRole("link", { name: "Held Up" })).toBeVisible();
  // The list needs this table, the header does not.
  await whileLocked(postgres, "consents", async () => {
    const others = each(async () =>
      (await fetch(`${product.url}/developers`, { headers: { cookie } })).text(),
    );
    await page.goto("/developers");
    await expect(page.getByRole("heading", { name: "We could not show this page" })).toBeVisible();
    await expect(page.getByText(/^Request ID [0-9A-Za-z]{22}$/)).toBeVisible();
    await look(page, "page-failed");
    await others;
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("link", { name: "Held Up" })).toBeVisible();
  await page.context().close();
});
