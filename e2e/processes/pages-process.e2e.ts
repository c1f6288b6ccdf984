import { setTimeout as wait } from "node:timers/promises";
import { startPostgres } from "#server/testing/postgres";
import { type RunningProduct, startProduct } from "#server/testing/product";
import { demoPerson } from "#simulator/demo-people";
import { look } from "../support/look";
import { callback } from "../support/register-application";
import { signIn } from "../support/sign-in";
import { test as base, expect } from "../support/test";
import { openVisitor } from "../support/visitor";

const secret = "only-Tests-use-this-Secret-0123456789-abcdefghijkl";

const test = base.extend({
  product: [
    async ({ playwright: _playwright }, use) => {
      const postgres = await startPostgres();
      const rates = { RATE_HOLDER: "1000000", RATE_PAGES: "1000000" };
      const own = {
        DATABASE_URL: postgres.url("postgres"),
        SERVER_SECRET: secret,
        PAGES_PROCESS: "on",
      };
      const product = await startProduct({ ...rates, ...own });
      await use(product);
      await product.stop();
      await postgres.stop();
    },
    { scope: "worker", timeout: 700_000 },
  ],
});

/** Milliseconds. It is ended after ten seconds without a sign of life; a busy machine sees them pass slowly. */
const frozenFor = 20_000;

/** The process of the pages that was started last, as the log names it. */
const pagesPid = (product: RunningProduct): number =>
  Number(
    product
      .output()
      .split("\n")
      .filter((line) => line.includes("in a process of their own"))
      .map((line) => JSON.parse(line).pid)
      .at(-1),
  );
const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("pages of a process of their own are the same pages, forms and calls", async ({
  page,
  product,
}) => {
  await signIn(page, "developer");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.goto("/account");
  await look(page, "pages-process-account");
  await page.goto("/docs/limits");
  await expect(
    page.getByRole("banner").getByText(demoPerson("developer").name).first(),
  ).toBeVisible();
  const ready = await (await fetch(`${product.url}/health/ready`)).json();
  expect(ready).toMatchObject({ status: "ready", pages: { status: "ok" } });
});

test("while that process is killed under load no call of the API fails; pages are 503 with a time to come again, then 200", async ({
  product,
}) => {
  const { url } = product;
  const asked = { redirectUri: callback, scopes: ["identity"] };
  const visitor = await openVisitor(url, demoPerson("developer").key);
  const { accessToken } = await visitor.authorize(
    await visitor.register({ name: "Load", ...asked }),
    asked,
  );
  const seen = {
    calls: new Map<unknown, number>(),
    pages: new Map<unknown, number>(),
    memory: new Map<unknown, number>(),
  };
  const note = (counts: Map<unknown, number>, status: unknown) =>
    counts.set(status, (counts.get(status) ?? 0) + 1);
  let over = false;
  const callers = Array.from({ length: 4 }, async () => {
    while (!over) {
      const answer = await fetch(`${url}/api/v1/user`, {
        headers: { authorization: `Bearer ${accessToken}` },
      }).catch(String);
      note(seen.calls, typeof answer === "string" ? answer : answer.status);
      if (typeof answer !== "string") await answer.text();
    }
  });
  const open = async (path: string, counts: Map<unknown, number>) => {
    const answer = await fetch(url + path).catch(() => undefined);
    const text = await answer?.text().catch(() => "");
    // One whose answer had begun is cut; there is no status for that.
    if (!answer || text === "") return;
    note(counts, answer.status);
    if (answer.status === 503)
      expect([answer.headers.get("retry-after"), text]).toEqual([
        "5",
        "Adjutant's pages are being started again. Wait 5 seconds, then load this page again.\n",
      ]);
  };
  const readers = Array.from({ length: 2 }, async () => {
    while (!over) {
      await open("/sign-in", seen.pages);
      await open("/docs", seen.memory);
      await wait(10);
    }
  });
  await expect.poll(() => seen.pages.get(200) ?? 0).toBeGreaterThan(3);
  const killed = pagesPid(product);
  process.kill(killed, "SIGKILL");
  await expect.poll(() => seen.pages.get(503) ?? 0).toBeGreaterThan(3);
  const away = await (await fetch(`${url}/health/ready`)).json();
  await expect.poll(() => pagesPid(product), { timeout: 120_000 }).not.toBe(killed);
  const before = seen.pages.get(200) ?? 0;
  await expect.poll(() => seen.pages.get(200) ?? 0).toBeGreaterThan(before + 3);
  over = true;
  await Promise.all([...callers, ...readers]);
  expect(away).toMatchObject({ status: "ready", pages: { status: "away" } });
  expect([...seen.calls.keys()]).toEqual([200]);
  expect([...seen.memory.keys()]).toEqual([200]);
  expect(product.output()).toMatch(
    /"signal":"SIGKILL".*"the process of the pages ended; it is started again"/,
  );
});

test("one that is frozen is ended and started again: a page waits seconds for its 503, and calls of the API do not wait", async ({
  product,
}) => {
  const ask = async (path: string) => {
    const began = performance.now();
    const answer = await fetch(product.url + path);
    await answer.text();
    return { status: answer.status, took: performance.now() - began };
  };
  const frozen = pagesPid(product);
  process.kill(frozen, "SIGSTOP");
  const page = ask("/sign-in");
  expect((await ask("/health/ready")).status).toBe(200);
  const { status, took } = await page;
  expect(status).toBe(503);
  expect(took).toBeLessThan(frozenFor);
  expect(product.output()).toContain("the process of the pages gives no sign of life; it is ended");
  await expect.poll(() => pagesPid(product), { timeout: 120_000 }).not.toBe(frozen);
  expect((await ask("/sign-in")).status).toBe(200);
  expect(lives(frozen)).toBe(false);
});

test("it ends with its server: in order at SIGTERM, once its last page is answered, and when the server is killed", async ({
  product: first,
}) => {
  expect(lives(pagesPid(first))).toBe(true);
  const postgres = await startPostgres();
  const settings = {
    DATABASE_URL: postgres.url("postgres"),
    SERVER_SECRET: secret,
    PAGES_PROCESS: "on",
  };
  const told = await startProduct(settings);
  const toldPages = pagesPid(told);
  // Also where the whole group is told.
  process.kill(toldPages, "SIGTERM");
  expect((await fetch(`${told.url}/sign-in`)).status).toBe(200);
  const last = fetch(`${told.url}/sign-in`);
  const ended = told.end("SIGTERM");
  expect((await last).status).toBe(200);
  expect(await ended).toBe(0);
  expect(lives(toldPages)).toBe(false);
  const killed = await startProduct(settings);
  const killedPages = pagesPid(killed);
  await killed.end("SIGKILL");
  await expect.poll(() => lives(killedPages)).toBe(false);
  await postgres.stop();
});
