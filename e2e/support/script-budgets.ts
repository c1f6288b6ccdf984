import { expect, type Page, test } from "playwright/test";
import type { DemoPerson } from "#simulator/demo-people";
import type { BusyPortal } from "./busy-portal";

/** Kilobytes of script as sent: for pages to read, and for pages with interactive parts. */
const budgets = { read: 135, interactive: 160 };

type Budget = keyof typeof budgets;
type Reader = "anybody" | DemoPerson["role"];

interface World {
  readonly page: Page;
  readonly portal: BusyPortal;
}

interface BudgetedPage {
  readonly budget: Budget;
  readonly reader: Reader;
  /** Address; absent if the folder determines it. */
  readonly address?: (world: World) => string | Promise<string>;
  /** The flow's file that reaches and measures the page, if no address leads to it. */
  readonly in?: string;
}

const page = (budget: Budget, reader: Reader, address?: BudgetedPage["address"]): BudgetedPage => ({
  budget,
  reader,
  ...(address && { address }),
});
const read = (reader: Reader, address?: BudgetedPage["address"]) => page("read", reader, address);
const interactive = (reader: Reader, address?: BudgetedPage["address"]) =>
  page("interactive", reader, address);
/** Reached only by a flow. */
const inFlow = (file: string, budget: Budget = "read"): BudgetedPage => ({
  ...{ budget, reader: "anybody", in: file },
});

const application = (end: string) => `/developers/apps/[clientId]${end}`;
const ofApplication =
  (end: string) =>
  ({ portal }: World) =>
    `/developers/apps/${portal.used.clientId}${end}`;
const ofEndpoint =
  (end: string) =>
  ({ portal: { asking, endpointId } }: World) =>
    `/developers/apps/${asking.clientId}/webhooks/${endpointId}${end}`;
/** The list's first address that leads further into it. */
const firstIn =
  (list: string | ((world: World) => string)) =>
  async (world: World): Promise<string> => {
    const path = typeof list === "string" ? list : list(world);
    await world.page.goto(path);
    const link = world.page.getByRole("main").locator(`a[href^="${path}/"]`).first();
    return (await link.getAttribute("href")) ?? "";
  };

const forAnybody = ["/", "/sign-in", "/account-deleted", "/docs/search"];
const ofAccount = ["", "/apps", "/delete", "/history", "/notices", "/sessions"];
const ofFaction = [
  "/apps",
  "/banking",
  "/banking/balances",
  "/banking/ledger",
  "/chat",
  "/stats",
  "/targets",
];
const each = (paths: readonly string[], entry: BudgetedPage) =>
  Object.fromEntries(paths.map((path) => [path, entry]));

/** By folder below `app/`, without route groups. */
export const pageBudgets: Readonly<Record<string, BudgetedPage>> = {
  ...each(forAnybody, read("anybody")),
  "/docs/[[...guide]]": read("anybody", () => "/docs/oauth"),
  "/docs/api/[endpoint]": read("anybody", () => "/docs/api/get-specific-user"),
  "/docs/errors/[code]": read("anybody", () => "/docs/errors/4004"),
  "/docs/events/[type]": read("anybody", () => "/docs/events/stocks.tick"),
  "/oauth/[clientId]/callback": read(
    "anybody",
    () => `/oauth/${"0".repeat(32)}/callback?code=adj_ac_x&state=y`,
  ),
  "/[...missing]": read("outsider", () => "/no/such/page"),

  "/sign-in/second-step": inFlow("flows/second-factor.e2e.ts"),
  "/confirm": inFlow("processes/confirmation.e2e.ts"),
  "/consent/[requestId]": inFlow("flows/script-budgets.e2e.ts"),

  ...each(
    ofAccount.map((end) => `/account${end}`),
    read("developer"),
  ),
  "/account/apps/[clientId]": read(
    "developer",
    ({ portal }) => `/account/apps/${portal.used.clientId}`,
  ),
  "/account/apps/[clientId]/report": read(
    "developer",
    ({ portal }) => `/account/apps/${portal.used.clientId}/report`,
  ),
  "/account/security": interactive("developer"),
  "/account/notifications": interactive("developer"),
  ...each(
    ["", "/send", "/settings"].map((end) => `/account/notifications/[endpointId]${end}`),
    inFlow("flows/notifications.e2e.ts", "interactive"),
  ),
  ...each(
    ofFaction.map((end) => `/faction${end}`),
    read("banker"),
  ),
  "/faction": interactive("member"),
  "/faction/apps/[clientId]": inFlow("flows/faction-apps.e2e.ts"),
  "/faction/banking/fulfill/[guid]": inFlow("flows/banking.e2e.ts"),
  "/chat-servers": read("developer"),
  "/chat-servers/[serverId]": read("developer", firstIn("/chat-servers")),
  "/demo": interactive("member"),
  "/players": read("member", () => "/players?q=a"),
  "/players/[playerId]": read("member", () => "/players/1001"),
  "/stocks": read("member"),
  "/stocks/[acronym]": read("member", firstIn("/stocks")),

  "/developers": read("developer"),
  "/developers/doctor": read("developer"),
  "/developers/new": interactive("developer"),
  "/developers/playground": interactive("developer"),
  [application("")]: read("developer", ofApplication("")),
  [application("/failures")]: read("developer", ofApplication("/failures")),
  [application("/team")]: read("developer", ofApplication("/team")),
  [application("/verification")]: read("developer", ofApplication("/verification")),
  [application("/history")]: read("developer", ofApplication("/history")),
  [application("/requests")]: read("developer", ofApplication("/requests")),
  [application("/requests/[requestId]")]: read("developer", firstIn(ofApplication("/requests"))),
  ...Object.fromEntries(
    ["/credentials", "/settings", "/webhooks"].map((end) => [
      application(end),
      interactive("developer", ofApplication(end)),
    ]),
  ),
  ...Object.fromEntries(
    ["/danger", "/tokens"].map((end) => [application(end), read("developer", ofApplication(end))]),
  ),
  [application("/webhooks/[endpointId]/events")]: read("developer", ofEndpoint("/events")),
  ...Object.fromEntries(
    ["", "/send", "/settings"].map((end) => [
      application(`/webhooks/[endpointId]${end}`),
      interactive("developer", ofEndpoint(end)),
    ]),
  ),

  ...each(
    ["", "/accounts", "/applications", "/audit", "/reports", "/system"].map(
      (end) => `/admin${end}`,
    ),
    read("banker"),
  ),
  "/admin/accounts/[accountId]": read("banker", firstIn("/admin/accounts")),
  "/admin/applications/[clientId]": read("banker", firstIn("/admin/applications")),
};

/** They redirect at once. */
export const withoutPage: ReadonlySet<string> = new Set(["/start"]);

/** Transferred size of the document's scripts; prefetched chunks do not count. */
async function scriptOf(page: Page): Promise<number> {
  const html = (await page.context().request.get(page.url())).text();
  const named = new Set(
    [...(await html).matchAll(/<script[^>]* src="([^"]+\.js[^"]*)"/g)].map(([, src]) => src),
  );
  await page.waitForLoadState("load");
  const bytes = await page.evaluate(
    (sources) =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => sources.includes(name.slice(location.origin.length)))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    [...named],
  );
  expect(bytes, `${page.url()} names no script`).toBeGreaterThan(0);
  return bytes / 1_000;
}

/** Asserts the script budget of the open page. */
export async function expectWithinBudget(page: Page, folder: string): Promise<void> {
  const kilobytes = await scriptOf(page);
  test.info().annotations.push({ type: "kB", description: `${folder} ${kilobytes.toFixed(1)}` });
  const { budget } = pageBudgets[folder] ?? { budget: "read" };
  expect(kilobytes, `script of ${page.url()}, in kB`).toBeLessThanOrEqual(budgets[budget]);
}
