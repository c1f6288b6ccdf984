import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { and, gt, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Database } from "#db/client";
import { migrate } from "#db/migrate";
import { openPglite } from "#db/pglite";
import { accessTokens, refreshTokens } from "#db/schema/oauth";
import { createContext } from "#server/create-context";
import { parseEnvironment } from "#server/platform/env";
import { type Instance, prepareInstances } from "#server/testing/instances";
import {
  basic,
  mintApplication,
  mintTokens,
  type TestApplication,
} from "#server/testing/oauth-world";
import { recordedLog } from "#server/testing/recorded-log";
import { mintUser } from "#server/testing/world";
import type { TokenReply } from "./authorization-code";

const kills = 50;
/** Per data directory. */
const chainCount = 3;
/** Milliseconds; a refresh takes a few of them. */
const latestKill = 40;
const settings = {
  SERVER_SECRET: "killed-instances-share-this-Server-Secret-0123456789-abcdef",
  RATE_CLIENT: "10000000",
  // A restart on a busy machine may exceed the default window.
  REFRESH_REUSE_SECONDS: "600",
  // These tests do not need the game, and the simulated world takes time to build.
  GAME_API_URL: "http://127.0.0.1:9/v2",
};

type Instances = Awaited<ReturnType<typeof prepareInstances>>;

interface Chain {
  refreshToken: string;
}

/** Runs while no instance uses the data directory. */
async function alone<Result>(
  dataDir: string,
  act: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openPglite(dataDir, (message) => expect.unreachable(message));
  await migrate(database);
  return act(database).finally(() => database.close());
}

/** An application with approved chains of tokens. */
async function mintChains(database: Database) {
  const environment = parseEnvironment({ ...settings, JOBS: "off" });
  const ctx = await createContext(environment, { database, log: recordedLog() });
  const app = await mintApplication(ctx, await mintUser(ctx));
  const chains: Chain[] = [];
  for (let at = 0; at < chainCount; at++) {
    const { refresh_token: refreshToken = "" } = await mintTokens(ctx, app, {
      user: await mintUser(ctx),
    });
    chains.push({ refreshToken });
  }
  await ctx.close();
  return { app, chains };
}

/** @returns the status, or undefined without a complete answer */
async function refreshOnce(
  at: Instance,
  app: TestApplication,
  chain: Chain,
): Promise<number | undefined> {
  const body = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: chain.refreshToken,
  });
  try {
    const headers = { authorization: basic(app) };
    const response = await fetch(`${at.url}/oauth/token`, { method: "POST", headers, body });
    const reply = (await response.json()) as TokenReply;
    if (response.status === 200) chain.refreshToken = reply.refresh_token ?? "";
    return response.status;
  } catch {
    return undefined;
  }
}

/**
 * Kills processes in the middle of refreshes on one data directory.
 * @returns refreshes without an answer at the kill
 */
async function killAgainAndAgain(
  instances: Instances,
  dataDir: string,
  times: number,
): Promise<number> {
  const { app, chains } = await alone(dataDir, mintChains);
  let interrupted = 0;
  for (let kill = 0; kill < times; kill++) {
    const instance = await instances.start({ ...settings, DATA_DIR: dataDir });
    // Answered refreshes are known; each other one is retried and must succeed.
    for (const chain of chains)
      expect([kill, await refreshOnce(instance, app, chain)]).toEqual([kill, 200]);
    const moment = randomInt(latestKill);
    const statuses = chains.map(async (chain) => {
      for (;;) {
        const status = await refreshOnce(instance, app, chain);
        if (status !== 200) return status;
      }
    });
    await wait(moment);
    await instance.kill();
    const last = await Promise.all(statuses);
    expect(last).toEqual(chains.map(() => undefined));
    interrupted += last.length;
  }
  await alone(dataDir, expectWholeChains);
  return interrupted;
}

async function expectWholeChains({ query }: Database): Promise<void> {
  const usable = await query
    .select()
    .from(refreshTokens)
    .where(and(isNull(refreshTokens.consumedAt), gt(refreshTokens.expiresAt, new Date())));
  const live = await query
    .select()
    .from(accessTokens)
    .where(and(isNull(accessTokens.revokedAt), gt(accessTokens.expiresAt, new Date())));
  for (const rows of [usable, live]) {
    expect(rows).toHaveLength(chainCount);
    expect(new Set(rows.map(({ grantId }) => grantId)).size).toBe(chainCount);
  }
}

// It opens data directories of its own, so the PostgreSQL project would repeat it.
test.runIf(process.env.TEST_STORE === "pglite")(
  "RE-02: killed fifty times at any point of a refresh, the embedded database has every chain whole, and single",
  { timeout: 1_800_000 },
  async () => {
    const parent = await mkdtemp(path.join(tmpdir(), "adjutant-killed-"));
    const instances = await prepareInstances("token-instance");
    try {
      // Two directories at once, because process starts take most of the time.
      const killing = ["one", "two"].map((name) =>
        killAgainAndAgain(instances, path.join(parent, name), kills / 2),
      );
      expect(await Promise.all(killing)).toEqual(
        [kills / 2, kills / 2].map((times) => times * chainCount),
      );
    } finally {
      instances.remove();
      await rm(parent, { recursive: true, force: true });
    }
  },
);
