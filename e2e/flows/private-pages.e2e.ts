import { readdirSync } from "node:fs";
import path from "node:path";
import { demoPersonOf } from "#simulator/demo-people";
import { signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

/** Headers of a soft navigation (Next's payload of server components). */
const asPayload = { rsc: "1" };

test("a person's own pages are kept by nobody, and hold no secret, as pages and as payloads (HD-03, SC-07)", async ({
  browser,
  product,
  portal,
}) => {
  const context = await browser.newContext({
    baseURL: product.url,
    storageState: portal.developer,
  });
  const session = portal.developer.cookies.find(
    ({ httpOnly, name }) => httpOnly && name.includes("session"),
  )?.value;
  const secrets = [
    session,
    demoPersonOf("developer").key,
    portal.used.clientSecret,
    portal.asking.clientSecret,
  ];
  expect(secrets.map((secret) => (secret ?? "").length > 15)).toEqual([true, true, true, true]);

  const below = (parent: string, children: readonly string[]) =>
    children.map((child) => `${parent}${child}`);
  const paths = [
    ...below("/account", ["", "/history", "/notices", "/notifications"]),
    ...below("/account", ["/security", "/sessions", "/delete"]),
    ...below("/account/apps", ["", `/${portal.used.clientId}`]),
    ...below("/developers", ["", "/new", "/playground", "/doctor"]),
    ...below(`/developers/apps/${portal.used.clientId}`, [
      "",
      "/credentials",
      "/settings",
      "/requests",
      "/failures",
    ]),
    ...below(`/developers/apps/${portal.used.clientId}`, [
      "/tokens",
      "/danger",
      "/webhooks",
      "/team",
      "/history",
    ]),
    ...below("/faction", ["", "/banking"]),
  ];
  for (const path of paths)
    for (const headers of [{}, asPayload]) {
      // Next may redirect a payload request once to add the hash of its headers; no other redirect
      // is allowed.
      const answer = await context.request.get(path, { headers, maxRedirects: 1 });
      const text = await answer.text();
      const { "cache-control": cache, "content-type": type } = answer.headers();
      expect([new URL(answer.url()).pathname, answer.status(), type?.split(";")[0]]).toEqual([
        path,
        200,
        "rsc" in headers ? "text/x-component" : "text/html",
      ]);
      expect([path, cache]).toEqual([
        path,
        expect.stringMatching(/^(?=.*\bprivate\b)(?=.*\bno-store\b)/),
      ]);
      expect(
        secrets.filter((secret) => secret && text.includes(secret)),
        path,
      ).toEqual([]);
    }
  await context.close();
});

/** Well-formed values for path parameters, with ids that do not exist. */
const segments: Readonly<Record<string, string>> = { playerId: "1", acronym: "ABC" };
const everyPage = readdirSync(path.join(import.meta.dirname, "../../app/(portal)"), {
  recursive: true,
  encoding: "utf8",
})
  .filter((file) => path.basename(file) === "page.tsx")
  .map((file) =>
    `/${path.dirname(file)}`
      .replaceAll(/\/\([^/]+\)/g, "")
      .replaceAll(/\[([^\]]+)\]/g, (_, name: string) => segments[name] ?? "0".repeat(32)),
  );
/** Pages that only admins know, or that do not exist. */
const isHidden = (page: string) => /^\/(?:admin|0{32})(?:\/|$)/.test(page);

test("each page that wants a sign-in comes back with its query, whatever the address says of another site (PT-05)", async ({
  page,
  product,
}) => {
  const pages = everyPage.filter((each) => !isHidden(each));
  expect(pages.length).toBeGreaterThan(35);
  const query = "?ask=https%3A%2F%2Fevil.test%2F%3Fa%3D1%26b&next=%2F%2Fevil.test";
  for (const each of pages) {
    const headers = { "x-adjutant-page": "//evil.test" };
    const answer = await page.request.get(`${each}${query}`, { headers, maxRedirects: 0 });
    const to = new URL(answer.headers().location ?? "", product.url);
    expect([answer.status(), to.origin + to.pathname]).toEqual([307, `${product.url}/sign-in`]);
    expect([...to.searchParams]).toEqual([["next", `${each}${query}`]]);
  }
});

test("what one asked for stands there after the sign-in", async ({ page }) => {
  await page.goto("/developers/doctor?ask=%3Fclient_id%3Dmine%26scope%3Dx");
  await signIn(page, "developer");
  expect(new URL(page.url()).pathname).toBe("/developers/doctor");
  await expect(page.getByLabel("URL, curl line, token or request ID")).toHaveValue(
    "?client_id=mine&scope=x",
  );
});

test("a key is added on a page that says so, and leads back", async ({ page }) => {
  await page.goto("/account");
  await signIn(page, "member");
  await page.getByRole("link", { name: "Add another key" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add a key");
  await expect(page).toHaveTitle(/^Add a key/);
  await expect(page.getByRole("button", { name: /passkey|chat/ })).toHaveCount(0);
  await page.getByLabel("Torn API key").fill("NotARealKey00001");
  await page.getByRole("button", { name: "Add the key" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add a key");
  await page.getByLabel("Torn API key").fill(demoPersonOf("member").key);
  await page.getByRole("button", { name: "Add the key" }).click();
  await page.waitForURL((url) => url.pathname === "/account");
  await page.goto("/sign-in?next=/faction&for=faction");
  await expect(page.getByText("faction: basic, members, positions")).toBeVisible();
});
