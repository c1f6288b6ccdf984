import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import type { Context } from "#server/context";
import { createContext } from "#server/create-context";
import { parseEnvironment } from "#server/platform/env";
import { freezePostgres } from "#server/testing/freeze-postgres";
import { gameOverFetch } from "#server/testing/game-over-fetch";
import { livedTime } from "#server/testing/lived-time";
import { mintApplication, mintTokens, refresh, unthrottled } from "#server/testing/oauth-world";
import { startPostgres } from "#server/testing/postgres";
import { recordedLog } from "#server/testing/recorded-log";
import { silentProxy } from "#server/testing/silent-proxy";
import { mintUser } from "#server/testing/world";
import type { TokenReply } from "./authorization-code";

const grants = 10;
/** Seconds; longer than the reuse window. */
const frozen = 6;
const reuse = 2;
const databaseTimeout = 2;

const postgres = await startPostgres({ durable: true });
const url = postgres.url("postgres");
const seconds = { databaseTimeout, databaseJobTimeout: databaseTimeout };

/** An instance on the database's clock, as in production. */
async function instance(at = url): Promise<Context> {
  const defaults = parseEnvironment({
    SERVER_SECRET: "tests-alone-use-this-Server-Secret-0123456789-abcdefghij",
    JOBS: "off",
    DEMO: "0",
    REFRESH_REUSE_SECONDS: String(reuse),
  });
  const database = openPostgres({ url: at, deadline: databaseTimeout * 1_000 });
  await migrate(database);
  const settings = { ...defaults, ...seconds, rates: { ...defaults.rates, ...unthrottled } };
  const ctx = await createContext(settings, {
    database,
    log: recordedLog(),
    gameFetch: gameOverFetch().simulator.fetch,
  });
  afterAll(async () => {
    await ctx.close();
    await database.close();
  });
  return ctx;
}
const instances = [await instance(), await instance()] as const;
afterAll(() => postgres.stop());

interface Chain {
  refreshToken: string;
  lost: number;
}

/** Refreshes once and keeps its token until it has the next. */
async function step(
  ctx: Context,
  app: Parameters<typeof refresh>[1],
  chain: Chain,
): Promise<number> {
  const response = await refresh(ctx, app, chain.refreshToken);
  const reply = (await response.json()) as TokenReply;
  if (response.status === 200) chain.refreshToken = reply.refresh_token ?? "";
  else chain.lost += 1;
  return response.status;
}

test("RF-06: a database that stands still for longer than the reuse window ends no grant, whichever instance is asked again", {
  timeout: 120_000,
}, async () => {
  const [here, there] = instances;
  const app = await mintApplication(here, await mintUser(here));
  const chains: Chain[] = [];
  while (chains.length < grants) {
    const { refresh_token: refreshToken = "" } = await mintTokens(here, app, {
      user: await mintUser(here),
    });
    chains.push({ refreshToken, lost: 0 });
  }
  // Some refreshes are running when the database freezes, others start afterwards.
  let running = true;
  const statuses = new Set<number>();
  const busy = chains.map(async (chain, index) => {
    for (let turn = index; running; turn++)
      statuses.add(await step(turn % 2 ? here : there, app, chain));
  });
  await expect.poll(() => statuses.has(200)).toBe(true);
  await wait(200);
  const goOn = freezePostgres(postgres);
  await wait(frozen * 1_000);
  const thawed = livedTime();
  goOn();
  running = false;
  await Promise.all(busy);
  // Clients retry on either instance: no grant may be lost.
  const after = await Promise.all(
    chains.map(async (chain, index) => {
      for (let turn = index; ; turn++) {
        const status = await step(turn % 2 ? there : here, app, chain);
        if (status !== 503) return status;
        expect(thawed()).toBeLessThan(20_000);
      }
    }),
  );
  expect(after).toEqual(chains.map(() => 200));
  expect(chains.every(({ lost }) => lost > 0)).toBe(true);
  expect([...statuses].sort()).toEqual([200, 503]);
});

test("RF-06: a refresh whose answer was lost in an outage is answered again after it, though the reuse window is over", {
  timeout: 60_000,
}, async () => {
  const proxy = await silentProxy(url);
  afterAll(proxy.close);
  const ctx = await instance(proxy.url);
  const app = await mintApplication(ctx, await mintUser(ctx));
  const { refresh_token: first = "" } = await mintTokens(ctx, app, { user: await mintUser(ctx) });
  // This opens the connection for the next refresh.
  const { refresh_token: token = "" } = (await (
    await refresh(ctx, app, first)
  ).json()) as TokenReply;
  proxy.swallowAnswers();
  expect((await refresh(ctx, app, token)).status).toBe(503);
  await wait((reuse + 2) * 1_000);
  proxy.heal();
  await expect
    .poll(async () => (await refresh(ctx, app, token)).status, { timeout: 10_000 })
    .toBe(200);
});
