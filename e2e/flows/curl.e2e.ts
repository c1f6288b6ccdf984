import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { demoPersonOf } from "#simulator/demo-people";
import { arriveAtClient } from "../support/arrive-at-client";
import { callback, registerApplication } from "../support/register-application";
import { signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

/**
 * Runs copied commands, with the variables that the page leaves to its reader.
 * @param typed what the commands read
 */
const shell = (commands: string, variables: Record<string, string>, typed?: string): string =>
  execFileSync("bash", ["-euo", "pipefail", "-c", commands], {
    encoding: "utf8",
    env: { ...process.env, ...variables },
    // Commands that read nothing may end before the input is written, which fails with EPIPE.
    ...(typed === undefined
      ? { stdio: ["ignore", "pipe", "ignore"] }
      : { input: `${typed}\n`, stdio: ["pipe", "pipe", "ignore"] }),
  });

test("the commands of the first steps work as they are written", async ({ page }) => {
  await page.goto("/docs");
  const written = await page.getByRole("main").locator("li pre").allInnerTexts();
  const [ask = "", exchange = "", call = ""] = written;
  await signIn(page, "developer");
  const { clientId, clientSecret } = await registerApplication(page, { name: "First Steps" });
  const known = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret ?? "" };

  await page.goto(shell(ask, known).trim());
  await page.getByRole("button", { name: "Approve" }).click();
  await page.waitForURL(/\/callback\?/);
  const code = new URL(page.url()).searchParams.get("code") ?? "";
  const reply = shell(`${ask} > /dev/null\n${exchange}`, known, code);
  const token = JSON.parse(reply.replace("Code: ", "")).access_token;
  const answer = shell(call, {}, token).replace("Access token: ", "");
  expect(JSON.parse(answer)).toMatchObject({ tid: demoPersonOf("developer").playerId });
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

  const { name, playerId } = demoPersonOf("developer");
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
  await page.getByRole("button", { name: demoPersonOf("developer").name }).click();
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
  const block = await page.getByRole("tabpanel", { name: "curl" }).locator("code").innerText();

  const running = spawn("bash", ["-u"], { env: { ...process.env, CLIENT_SECRET } });
  let printed = "";
  const asked = new Promise<string>((resolve) => {
    running.stdout.on("data", (part) => {
      printed += part;
      const address = /https?:\/\/\S+authorize\?\S+/.exec(printed)?.[0];
      if (address && printed.endsWith("Code: ")) resolve(address);
    });
  });
  running.stdin.write(`${block}\n`);
  await page.goto(await asked);
  await page.getByRole("button", { name: "Approve" }).click();
  const code = await page.locator("dt", { hasText: "Code" }).locator("+ dd code").innerText();
  running.stdin.end(`${code}\n`);
  await new Promise((resolve) => running.on("close", resolve));
  expect(printed).toMatch(new RegExp(`"tid": ?${demoPersonOf("developer").playerId}\\b`));
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  test
    .info()
    .annotations.push({ type: "seconds", description: `${seconds} s to the first answered call` });
});
