import { randomInt } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "#server/testing/free-port";
import { type RunningProduct, startProduct } from "#server/testing/product";
import { demoPersonOf } from "#simulator/demo-people";
import { expect, test } from "../support/test";
import { basic, type Credentials, openVisitor, type Tokens } from "../support/visitor";

const redirectUri = "https://client.test/cb";
const scopes = ["identity"];
/**
 * Few, because each starts the whole product; the tests of the token tables kill it more often
 * without pages.
 */
const rounds = 4;
const latestKill = 150;
const longestRestart = 10_000;

/** @throws TypeError if the answer does not arrive, Error if it is a refusal */
async function refresh(
  baseUrl: string,
  client: Credentials,
  refreshToken: string,
): Promise<Tokens> {
  const answer = await fetch(`${baseUrl}/oauth/token`, {
    method: "POST",
    headers: { authorization: basic(client) },
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The refresh was refused: ${answer.status} ${text}`);
  const reply = JSON.parse(text);
  return { accessToken: reply.access_token, refreshToken: reply.refresh_token };
}

/** Milliseconds that the main thread waited for a processor; 0 if the system does not report it. */
async function timeInQueue(pid: number): Promise<number> {
  const [, waited = "0"] = (await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => "")).split(
    " ",
  );
  return Number(waited) / 1_000_000;
}

const callUser = async (baseUrl: string, { accessToken }: Tokens): Promise<number> =>
  (await fetch(`${baseUrl}/api/v1/user`, { headers: { authorization: `Bearer ${accessToken}` } }))
    .status;

/**
 * Refreshes until the server is gone.
 * @returns the last pair that was answered
 */
async function refreshUntilGone(
  baseUrl: string,
  client: Credentials,
  first: Tokens,
): Promise<Tokens> {
  let last = first;
  for (;;) {
    try {
      last = await refresh(baseUrl, client, last.refreshToken);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return last;
    }
  }
}

test("killed at any moment, it has lost nothing that it answered when it is back (RE-02)", async () => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), "adjutant-restart-"));
  const settings = { DATA_DIR, PORT: String(await freePort()) };
  let product: RunningProduct = await startProduct(settings);
  const { url } = product;
  const visitor = await openVisitor(url, demoPersonOf("developer").key);
  const register = (name: string) => visitor.register({ name, redirectUri, scopes });
  const client = await register("Chain");
  let pair = await visitor.authorize(client, { redirectUri, scopes });
  const registered: Credentials[] = [];
  let slowest = 0;

  for (let round = 1; round <= rounds; round++) {
    registered.push(await register(`Round ${round}`));
    const refreshing = refreshUntilGone(url, client, pair);
    const moment = randomInt(latestKill);
    await wait(moment);
    await product.end("SIGKILL");
    pair = await refreshing;

    const gone = performance.now();
    product = await startProduct(settings);
    slowest = Math.max(
      slowest,
      performance.now() - gone - (await timeInQueue(product.process.pid ?? 0)),
    );
    // If the last answer was lost, this repeats its request and gets the same reply.
    pair = await test.step(`killed after ${moment} ms`, () =>
      refresh(url, client, pair.refreshToken));
    expect(await callUser(url, pair)).toBe(200);
  }

  for (const each of registered)
    await expect(refresh(url, each, "adj_rt_none")).rejects.toThrow(/400 .*"invalid_grant"/);
  expect(slowest).toBeLessThan(longestRestart);
  await test.step("a second process on the same data is refused (RE-61)", async () => {
    const second = startProduct({ DATA_DIR });
    await expect(second).rejects.toThrow(/exit code 1/);
    await expect(second).rejects.toThrow(`${product.process.pid}`);
    expect(await callUser(url, pair)).toBe(200);
  });
  expect(await product.end("SIGTERM")).toBe(0);
  await rm(DATA_DIR, { recursive: true, force: true });
});

/** A started request: the server waits for the body, which `finish` sends. */
function begin(baseUrl: string) {
  const body = "grant_type=refresh_token";
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": body.length,
    expect: "100-continue",
  };
  const outgoing = request(`${baseUrl}/oauth/token`, { method: "POST", headers, agent: false });
  const underWay = new Promise<void>((resolve, reject) =>
    outgoing.once("continue", resolve).once("error", reject),
  );
  const answer = new Promise<number | undefined>((resolve, reject) => {
    outgoing.once("response", (response) =>
      response.resume().once("end", () => resolve(response.statusCode)),
    );
    outgoing.once("error", reject);
  });
  outgoing.flushHeaders();
  return { underWay, answer, finish: () => outgoing.end(body) };
}

test("told to end, it wants no more, answers what is under way, and ends well (RE-06)", async () => {
  // They have no credentials, which the default limits to twenty a minute. A busy machine needs
  // more time between probe and request.
  const product = await startProduct({ RATE_CLIENT_FAILURES: "1000", DRAIN_NOTICE_SECONDS: "5" });
  const begun = Array.from({ length: 50 }, () => begin(product.url));
  await Promise.all(begun.map(({ underWay }) => underWay));
  const end = product.end("SIGTERM");
  const readiness = async () => (await fetch(`${product.url}/health/ready`)).status;
  await expect.poll(readiness, { intervals: [20] }).toBe(503);
  // Before the load balancer's next probe, new requests are still served.
  expect((await fetch(`${product.url}/sign-in`)).status).toBe(200);
  for (const { finish } of begun) finish();
  expect(await Promise.all(begun.map(({ answer }) => answer))).toEqual(begun.map(() => 401));
  expect(await end).toBe(0);
  await product.stop();
});
