import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { demoPerson } from "#simulator/demo-people";
import { arriveAtClient } from "../support/arrive-at-client";
import { callback, registerApplication } from "../support/register-application";
import { signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

/** Runs copied commands, with the variables that the page leaves to its reader. */
const shell = (commands: string, variables: Record<string, string>): string =>
  execFileSync("bash", ["-euo", "pipefail", "-c", commands], {
    encoding: "utf8",
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "ignore"],
  });

test("the commands of the landing page and of the README work as they are written", async ({
  page,
  product,
}) => {
  await page.goto("/");
  const written = await page.getByRole("tabpanel", { name: "curl" }).locator("code").innerText();
  const [, ask = "", exchange = "", call = ""] = written.split(/^# \d\..*$/m);

  await signIn(page, "developer");
  const { clientId, clientSecret } = await registerApplication(page, { name: "Copied Commands" });
  const known = {
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret ?? "",
    REDIRECT_URI: callback,
    STATE: "x1",
  };

  // The command that opens a browser differs by system; here it prints the address.
  const address = shell(`open() { printf %s "$1"; }\n${ask}`, known);
  await page.goto(address);
  const { url } = await arriveAtClient(page, () =>
    page.getByRole("button", { name: "Approve" }).click(),
  );
  const reply = shell(exchange, { ...known, CODE: url.searchParams.get("code") ?? "" });
  const ACCESS_TOKEN = JSON.parse(reply).access_token;

  const { name, playerId } = demoPerson("developer");
  const expected = { tid: playerId, username: `${name} [${playerId}]` };
  expect(JSON.parse(shell(call, { ACCESS_TOKEN }))).toMatchObject(expected);

  const readme = readFileSync(path.join(import.meta.dirname, "../../README.md"), "utf8");
  const fromReadme =
    /^curl .*\/api\/v1\/user$/m.exec(readme)?.[0].replace("http://localhost:3000", product.url) ??
    "";
  expect(JSON.parse(shell(fromReadme, { ACCESS_TOKEN }))).toMatchObject(expected);
});

test("the way that the README describes leads from the sign-in page to an answered call", async ({
  page,
  product,
}) => {
  const began = performance.now();
  await page.goto(product.url);
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: demoPerson("developer").name }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Developers" })
    .click();
  await page.getByRole("link", { name: "Register an application" }).first().click();
  await page.getByRole("radio", { name: /On a server/ }).check();
  await page.getByLabel("Name").fill("First Try");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  const CLIENT_SECRET = await page
    .locator("dt", { hasText: "Client secret" })
    .locator("+ dd code")
    .innerText();
  await page.getByRole("tab", { name: "curl" }).click();
  const written = await page.getByRole("tabpanel", { name: "curl" }).locator("code").innerText();
  const [prepare = "", ask = "", exchange = "", call = ""] = written.split(/^# \d\..*$/m);

  const [verifier = "", address = ""] = shell(`${prepare}\necho "$verifier"\n${ask}`, {}).split(
    "\n",
  );
  await page.goto(address);
  await page.getByRole("button", { name: "Approve" }).click();
  const CODE = await page.locator("dt", { hasText: "Code" }).locator("+ dd code").innerText();
  const ACCESS_TOKEN = JSON.parse(shell(exchange, { verifier, CODE, CLIENT_SECRET })).access_token;
  expect(JSON.parse(shell(call, { ACCESS_TOKEN }))).toMatchObject({
    tid: demoPerson("developer").playerId,
  });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  test
    .info()
    .annotations.push({ type: "seconds", description: `${seconds} s to the first answered call` });
});
