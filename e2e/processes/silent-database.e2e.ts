import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { freePort } from "#server/testing/free-port";
import { startPostgres } from "#server/testing/postgres";
import { startProduct } from "#server/testing/product";
import { silentProxy } from "#server/testing/silent-proxy";
import { demoPersonOf } from "#simulator/demo-people";
import { expect, test } from "../support/test";

const secret = "tests-alone-use-this-Server-Secret-0123456789-abcdefghij";
const pages = [
  "/",
  "/account",
  "/developers",
  "/oauth/authorize?response_type=code&client_id=none",
];
/** Milliseconds. A statement's deadline is four seconds; a page may run two in sequence. */
const noticed = 6_000;
const answered = 10_000;
const recovered = 5_000;
const drained = 21_000;

async function ask(url: string, headers: Record<string, string> = {}) {
  const began = performance.now();
  const answer = await fetch(url, { headers, redirect: "manual" });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, took: performance.now() - began };
}

test("while its database is silent it says so, and it ends when told to; afterwards it serves as before", async () => {
  const postgres = await startPostgres();
  const proxy = await silentProxy(postgres.url("postgres"));
  const product = await startProduct({ DATABASE_URL: proxy.url, SERVER_SECRET: secret });
  const { url } = product;
  const form = new URLSearchParams({ game_key: demoPersonOf("developer").key });
  const signIn = () =>
    fetch(`${url}/sign-in/key`, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
      body: form,
      redirect: "manual",
    });
  const cookie = (await signIn()).headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const visit = () => Promise.all(pages.map((page) => ask(url + page, { cookie })));
  const usual = await visit();
  const healthy = usual.map(({ status }) => status);
  // A slow machine slows the requests meanwhile as well: at most three rounds of them.
  const slowness = 3 * Math.max(...usual.map(({ took }) => took));
  expect(healthy).toEqual([200, 200, 200, 400]);

  proxy.silence();
  const silent = performance.now();
  const readiness = async () => (await ask(`${url}/health/ready`)).status;
  await expect.poll(readiness, { intervals: [50] }).toBe(503);
  expect(performance.now() - silent).toBeLessThan(noticed + slowness);
  for (const page of await visit()) {
    expect([
      page.status,
      page.headers.get("retry-after"),
      page.headers.get("content-type"),
    ]).toEqual([503, "5", "text/plain; charset=utf-8"]);
    expect(page.text).toBe(
      "Adjutant's database does not answer. Wait 5 seconds, then load this page again.\n",
    );
    expect(page.took).toBeLessThan(answered + slowness);
  }
  expect((await signIn()).status).toBe(503);
  // Paths without a database are served.
  expect([(await ask(`${url}/docs`)).status, (await ask(`${url}/health/live`)).status]).toEqual([
    200, 200,
  ]);

  proxy.heal();
  const healed = performance.now();
  await expect
    .poll(async () => [await readiness(), ...(await visit()).map(({ status }) => status)], {
      intervals: [50],
    })
    .toEqual([200, ...healthy]);
  expect(performance.now() - healed).toBeLessThan(recovered + slowness);

  proxy.silence();
  void visit().catch(() => {});
  const told = performance.now();
  expect(await product.end("SIGTERM")).toBe(0);
  expect(performance.now() - told).toBeLessThan(drained);
  await proxy.close();
  await postgres.stop();
});

test("a start asks the database for nothing before its pages are loaded: jobs would hold it up meanwhile", async () => {
  const printed: Buffer[] = [];
  const database = createServer().listen(0, "127.0.0.1");
  await once(database, "listening");
  const { port } = database.address() as AddressInfo;
  const DATABASE_URL = `postgres://nobody:nothing@127.0.0.1:${port}/none`;
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    PORT: String(await freePort()),
    DATABASE_URL,
  } as const;
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    env: { ...env, SERVER_SECRET: secret },
  });
  child.stdout.on("data", (text) => printed.push(text));
  const [socket] = (await once(database, "connection")) as [Socket];
  // The line that Next prints when it prepares itself.
  expect(Buffer.concat(printed).toString()).toContain("next.config.mjs");
  child.kill("SIGKILL");
  await once(child, "exit");
  socket.destroy();
  database.close();
});
