import type { Page } from "playwright/test";
import { demoPersonOf } from "#simulator/demo-people";
import { look } from "../support/look";
import { expectWithinBudget } from "../support/script-budgets";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

const vault = "/faction/banking";
const lanternwatch = 7001;

/** @returns the request's number */
async function ask(
  page: Page,
  requested: { amount: string; kind?: string; waits?: string },
): Promise<string> {
  await page.goto(vault);
  await page.getByLabel("Amount").fill(requested.amount);
  if (requested.kind) await page.getByLabel("Currency").selectOption(requested.kind);
  if (requested.waits) await page.getByLabel("Expires after").selectOption(requested.waits);
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText("Request sent.")).toBeVisible();
  return new URL(page.url()).searchParams.get("request") ?? "";
}

const rowOf = (page: Page, table: string, request: string) =>
  page
    .getByRole("table", { name: table })
    .getByRole("row")
    .filter({ hasText: new RegExp(`#${request}(?!\\d)`) });

test("a member asks, on the page and by the API; a banker pays one and cancels the other; the members see it", async ({
  page,
  newcomer,
  product,
  token,
}) => {
  const api = (path: string, init: RequestInit = {}) =>
    fetch(new URL(`/api/v1/faction/${path}`, product.url), {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  await beSignedIn(page, "member");
  await page.goto(vault);
  await page.getByRole("button", { name: /^Read (now|again)$/ }).click();
  await expect(page.getByText("$7,350,000")).toBeVisible();
  const asked = await ask(page, { amount: "1.5m", waits: "30m" });

  const banker = await newcomer();
  await beSignedIn(banker, "banker");
  await banker.goto(vault);
  await expect(rowOf(banker, "Waiting for a banker", asked)).toBeVisible();
  const body = JSON.stringify({ amount: "100k", type: "money_balance" });
  const made = await api(`${lanternwatch}/banking`, { method: "POST", body });
  expect(made.status).toBe(200);
  const { id, guid } = await made.json();

  // The page that is already open receives it live.
  await expect(rowOf(banker, "Waiting for a banker", String(id))).toContainText("$100,000");
  const mine = rowOf(banker, "Waiting for a banker", asked);
  await expect(mine).toContainText(demoPersonOf("member").name);
  await expect(mine).toContainText("$1,500,000");
  await mine.getByRole("link", { name: "Pay" }).click();
  await expect(banker.getByRole("heading", { level: 1 })).toHaveText(`Request #${asked}`);
  await banker.reload();
  await expectWithinBudget(banker, "/faction/banking/fulfill/[guid]");
  await expect(banker.getByRole("button", { name: "I have paid it" })).toBeVisible();
  await look(banker, "banking-fulfil");
  await banker.getByRole("button", { name: "Pay this" }).click();
  await expect(banker.getByText("You are paying this")).toBeVisible();
  await expect(rowOf(page, "Your requests", asked)).toContainText("is paying it");
  await look(banker, "banking-claimed");
  await banker.getByRole("button", { name: "I have paid it" }).click();
  await expect(banker.getByText("gets a notice.")).toBeVisible();
  await expect(rowOf(page, "Your requests", asked)).toContainText("Paid");
  await look(banker, "banking-fulfilled");

  await banker.goto(vault);
  const other = rowOf(banker, "Waiting for a banker", String(id));
  await other.getByText("Cancel", { exact: false }).first().click();
  await look(banker, "banking-cancel-asks");
  await other.getByLabel("Reason").fill("Ask after the war.");
  await other.getByRole("button", { name: "Cancel the request" }).click();
  await expect(banker.getByText("The request is cancelled.")).toBeVisible();
  await banker.getByRole("link", { name: "Balances" }).click();
  await expect(banker.getByText(demoPersonOf("member").name)).toBeVisible();
  await look(banker, "banking-balances");
  await banker.goto(vault);

  await banker.getByRole("link", { name: "Ledger" }).click();
  await expect(rowOf(banker, "Closed requests", asked)).toContainText(demoPersonOf("banker").name);
  await expect(rowOf(banker, "Closed requests", String(id))).toContainText("Cancelled");
  await expect(rowOf(banker, "Closed requests", String(id))).toContainText("Ask after the war.");
  await expect(banker.getByRole("slider", { name: "Money paid by day" })).toBeVisible();
  await look(banker, "banking-ledger");
  const [file] = await Promise.all([
    banker.waitForEvent("download"),
    banker.getByRole("button", { name: "Save CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("adjutant-vault.csv");
  await page.goto(`${vault}/ledger`);
  await expect(rowOf(page, "Closed requests", asked)).toContainText("$1,500,000");
  await look(page, "banking-ledger-member");

  await page.goto("/account/notices");
  await expect(page.getByText(`Your request #${asked} for $1,500,000 was paid by`)).toBeVisible();
  const listed = await (await api(`${lanternwatch}/banking?search_type=all`)).json();
  expect(listed).toContainEqual(
    expect.objectContaining({
      id,
      guid,
      status: "cancelled",
      closed_by: demoPersonOf("banker").playerId,
    }),
  );
  expect((await api(`${lanternwatch}/banking/${guid}`, { method: "DELETE" })).status).toBe(409);
});

test("the fulfilment link opens for bankers and for the member who asked alone, and reading it changes nothing (§7 row 48)", async ({
  page,
  newcomer,
}) => {
  await beSignedIn(page, "member");
  const request = await ask(page, { amount: "20", kind: "points_balance", waits: "none" });
  const banker = await newcomer();
  await beSignedIn(banker, "banker");
  await banker.goto(vault);
  const link = await rowOf(banker, "Waiting for a banker", request)
    .getByRole("link", { name: "Pay" })
    .getAttribute("href");
  for (const role of ["outsider", "developer", "loner"] as const) {
    const other = await newcomer();
    await beSignedIn(other, role);
    expect((await other.goto(link ?? ""))?.status()).toBe(404);
  }
  await page.goto(link ?? "");
  await expect(page.getByRole("button", { name: "I have paid it" })).toHaveCount(0);
  await expect(page.getByText("It waits for a banker")).toBeVisible();
  await look(page, "banking-own-request");
  const nobody = await newcomer();
  await nobody.goto(link ?? "");
  expect(new URL(nobody.url()).pathname).toBe("/sign-in");
  expect((await banker.request.get(`${link}/confirm`)).status()).toBe(405);

  await page.goto(vault);
  await rowOf(page, "Your requests", request).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("The request is cancelled.")).toBeVisible();
  await banker.goto(link ?? "");
  await expect(banker.getByRole("heading", { level: 1 })).toHaveText("This request was cancelled");
  await expect(banker.getByRole("button", { name: "I have paid it" })).toHaveCount(0);
});

test("a request for too much is refused with its figures, and the balance stays in sight", async ({
  page,
}) => {
  await beSignedIn(page, "member");
  await page.goto(vault);
  await page.getByLabel("Amount").fill("5b");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText(/Not enough: \$[\d,]+ available/)).toBeVisible();
  await expect(page.getByText("Points", { exact: true }).first()).toBeVisible();
  await look(page, "banking-too-much");
  await page.getByLabel("Amount").fill("1k");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText("Request sent.")).toBeVisible();
  await expect(page.getByText("$1,000 of it is requested")).toBeVisible();
  const request = new URL(page.url()).searchParams.get("request") ?? "";
  await rowOf(page, "Your requests", request).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("The request is cancelled.")).toBeVisible();
});

test("the vault works without client script", async ({ browser, product }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url });
  const page = await context.newPage();
  await beSignedIn(page, "member");
  await page.goto(vault);
  await page.getByLabel("Amount").fill("1.5");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText("Enter an amount, for example")).toBeVisible();
  await expect(page.getByLabel("Amount")).toHaveValue("1.5");
  const request = await ask(page, { amount: "1k" });
  await rowOf(page, "Your requests", request).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("The request is cancelled.")).toBeVisible();
  await context.close();
});

test("the vault's pages are in order on every screen, in both themes", async ({
  page,
  newcomer,
}) => {
  await beSignedIn(page, "member");
  await ask(page, { amount: "250,000" });
  await page.goto(vault);
  await look(page, "banking-member");
  const banker = await newcomer();
  await beSignedIn(banker, "banker");
  await banker.goto(vault);
  await look(banker, "banking-banker");
  const loner = await newcomer();
  await beSignedIn(loner, "loner");
  await loner.goto(vault);
  await look(loner, "banking-loner");
});
