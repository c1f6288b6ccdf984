import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { and, gt, isNull } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { accessTokens, refreshTokens } from "#db/schema/oauth";
import { testPostgresUrl } from "#server/testing/database";
import { type Instance, prepareInstances } from "#server/testing/instances";
import { basic, mintApplication, mintTokens } from "#server/testing/oauth-world";
import { startRedis } from "#server/testing/redis";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import type { TokenReply } from "./authorization-code";

const wantedInterruptions = 200;
const chainCount = 48;
const mostRounds = 20;
/** Milliseconds. */
const latestKill = 250;

const serverSecret = "killed-instances-share-this-Server-Secret-0123456789-abcdef";
const url = await testPostgresUrl();
const database = openPostgres({ url });
const { ctx, clock } = await testContext({ database, settings: { serverSecret } });
clock.set(new Date());
const redis = await startRedis();
const instances = await prepareInstances();
afterAll(async () => {
  instances.remove();
  await redis?.stop();
  await database.close();
});

const settings = {
  DATABASE_URL: url,
  SERVER_SECRET: serverSecret,
  RATE_CLIENT: "10000000",
  ...(redis && { REDIS_URL: redis.url }),
};
const app = await mintApplication(ctx, await mintUser(ctx));

/** A client's newest answered pair. */
interface Chain {
  accessToken: string;
  refreshToken: string;
}

const hashOf = ({ refreshToken }: Chain): string => ctx.keyring.hmac("token", refreshToken).hash;

/** @returns the status, or undefined without a complete answer */
async function refreshOnce(at: Instance, chain: Chain): Promise<number | undefined> {
  const body = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: chain.refreshToken,
  });
  try {
    const response = await fetch(`${at.url}/oauth/token`, {
      method: "POST",
      headers: { authorization: basic(app) },
      body,
    });
    const reply = (await response.json()) as TokenReply;
    if (response.status === 200)
      Object.assign(chain, { accessToken: reply.access_token, refreshToken: reply.refresh_token });
    return response.status;
  } catch {
    return undefined;
  }
}

/** One usable refresh token per chain, and at most one live access token. */
async function expectOneOfEach(): Promise<ReadonlySet<string>> {
  const usable = await database.query
    .select()
    .from(refreshTokens)
    .where(and(isNull(refreshTokens.consumedAt), gt(refreshTokens.expiresAt, new Date())));
  const live = await database.query
    .select()
    .from(accessTokens)
    .where(and(isNull(accessTokens.revokedAt), gt(accessTokens.expiresAt, new Date())));
  expect(usable).toHaveLength(chainCount);
  expect(new Set(usable.map(({ grantId }) => grantId)).size).toBe(chainCount);
  expect(new Set(live.map(({ grantId }) => grantId)).size).toBe(live.length);
  return new Set(usable.map(({ hash }) => hash));
}

test("RE-01: killed at any point of a refresh, an instance leaves every chain whole, and the other one unharmed", {
  timeout: 300_000,
}, async () => {
  const chains: Chain[] = [];
  for (let at = 0; at < chainCount; at++) {
    const tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    chains.push({ accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? "" });
  }
  let [survivor, victim] = await Promise.all([
    instances.start(settings),
    instances.start(settings),
  ]);
  let interrupted = 0;
  let rounds = 0;
  let refreshed = 0;
  /** Committed refreshes with a lost answer. */
  let lost = 0;
  const wrong: unknown[] = [];
  while ((interrupted < wantedInterruptions || lost === 0) && rounds < mostRounds) {
    rounds += 1;
    let killed = false;
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const cut = new Set<Chain>();
    const running = chains.map(async (chain, index) => {
      // Most chains use the instance that dies; the others keep the survivor busy.
      const at = index % 6 === 0 ? survivor : victim;
      while (!killed && !cut.has(chain)) {
        const status = await refreshOnce(at, chain);
        if (status === undefined && at === victim) cut.add(chain);
        else if (status !== 200) wrong.push(status);
        else {
          refreshed += 1;
          if (at === victim) begin();
        }
      }
    });
    // A new process is still loading code, and a kill then would interrupt nothing.
    await begun;
    await wait(randomInt(latestKill));
    killed = true;
    await victim.kill();
    await Promise.all(running);
    interrupted += cut.size;

    const left = await expectOneOfEach();
    lost += [...cut].filter((chain) => !left.has(hashOf(chain))).length;
    // The client does not know the outcome, and retries on a live instance.
    const again = await Promise.all([...cut].map((chain) => refreshOnce(survivor, chain)));
    expect(again).toEqual(again.map(() => 200));
    const usable = await expectOneOfEach();
    expect(chains.filter((chain) => !usable.has(hashOf(chain)))).toEqual([]);
    [survivor, victim] = [await instances.start(settings), survivor];
  }
  expect(wrong).toEqual([]);
  expect(interrupted).toBeGreaterThanOrEqual(wantedInterruptions);
  expect(refreshed).toBeGreaterThan(chainCount);
  expect(lost).toBeGreaterThan(0);
  for (const { accessToken } of chains)
    expect(await ctx.tokens.authenticate(accessToken)).toBeDefined();
});
