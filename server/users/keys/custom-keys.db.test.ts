import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { accounts, gameKeys } from "#db/schema/accounts";
import { players } from "#db/schema/players";
import { battleStats } from "#db/schema/stats";
import type { PortalUser } from "#server/actor";
import { callWithVaultKey, readVaultBalance } from "#server/faction/banking/read-vault-balance";
import { refreshCrimeTypesJob } from "#server/faction/crimes/refresh-crimes";
import {
  readAttacksJob,
  readCrimesJob,
  readPositionsJob,
  refreshMembersJob,
} from "#server/faction/read-factions";
import {
  bySection,
  type KeyPurpose,
  type KeyUses,
  selectionsByCall,
  selectionsFor,
} from "#server/game/selections";
import type { Job } from "#server/jobs/job";
import { readOwnFightsJob } from "#server/stats/own-fights/read-own-fights";
import { refreshPricesJob } from "#server/stocks/refresh-prices";
import { refreshStocksJob } from "#server/stocks/refresh-stocks";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { mintPlayer, testSource } from "#server/testing/world";
import { demoPersonOf } from "#simulator/demo-people";
import { enrolPlayer } from "../enrol-player";
import { refreshUsersJob } from "../jobs/refresh-users";
import { describeKeyToCreate, unservedPurposes } from "./new-key";
import { listGameKeys } from "./own-keys";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const on = database.query;
const work = { budget: 60, signal: new AbortController().signal };
const user = ["profile", "discord", "faction"];
const { playerId } = demoPersonOf("member");

beforeEach(async () => {
  for (const table of [accounts, players]) await on.delete(table);
  simulator.control.clearCache();
  clock.advance(86_400);
  clock.set(new Date(Math.floor(clock.now().getTime() / 60_000) * 60_000 + 10_000));
});

/** Stores a custom key of a player that lists these selections alone. */
async function enrolCustom(selections: Record<string, string[]>, owner = playerId, lends = false) {
  const { key: gameKey } = simulator.control.createKey({ playerId: owner, level: 0, selections });
  const info = await ctx.game.keyInfo(gameKey);
  const enrolled = await enrolPlayer(ctx, { gameKey, info, from: testSource });
  const { accountId } = enrolled;
  if (lends) await on.update(accounts).set({ lendsKey: true }).where(eq(accounts.id, accountId));
  return enrolled;
}

const describeOwn = async (owner: number) =>
  (await on.select().from(gameKeys).where(eq(gameKeys.playerId, owner)))[0];

/** As a key that was stored before its selections were. */
const forgetSelections = () => on.update(gameKeys).set({ selections: null });
const callAsOwner = callAs(ctx, { playerId, scopes: ["service_key:usage"] });

test("the selections of a custom key are stored, and those of no other", async () => {
  await enrolCustom({ user, torn: ["stocks"] });
  const [row] = await on.select().from(gameKeys);
  expect(row?.selections).toEqual(
    expect.arrayContaining(["user/profile", "user/discord", "user/faction", "torn/stocks"]),
  );
  expect(row?.selections).not.toContain("user/personalstats");
});

test.each(["known", "unknown"])(
  "a custom key without stats refreshes its owner and others, its selections being %s",
  async (selections) => {
    await enrolCustom({ user });
    if (selections === "unknown") await forgetSelections();
    clock.advance(601);
    const stranger = demoPersonOf("outsider").playerId;
    for (const asked of [playerId, stranger])
      expect(await callAsOwner(`/user/${asked}?refresh=true`)).toMatchObject({
        status: 200,
        json: { tid: asked, last_refresh: Math.floor(clock.now().getTime() / 1_000) },
      });
  },
);

test.each(["known", "unknown"])(
  "members are refreshed in the background with a custom key, its selections being %s",
  async (selections) => {
    await enrolCustom({ user });
    if (selections === "unknown") await forgetSelections();
    const other = await mintPlayer(ctx, { id: 1002, factionId: 7001 });
    clock.advance(60);
    expect(await refreshUsersJob.run(ctx, work)).toMatchObject({ refreshed: 1 });
    const [row] = await on.select().from(players).where(eq(players.id, other.id));
    expect(row?.lastRefresh).toEqual(clock.now());
  },
);

test("a faction is not due with a custom key that does not list its members", async () => {
  await enrolCustom({ user });
  await mintPlayer(ctx, { id: 1002, factionId: 7001 });
  expect(await refreshMembersJob.run(ctx, work)).toEqual({ failed: 0, skipped: 0 });
  await enrolCustom({ user, faction: ["basic", "members"] });
  expect(await refreshMembersJob.run(ctx, work)).toMatchObject({ factions: 1, failed: 0 });
});

test.each(["known", "unknown"])(
  "a lent custom key without the market costs no tick and no price, its selections being %s",
  async (selections) => {
    const market = { torn: ["stocks", "items"], market: ["pointsmarket"] };
    await enrolCustom({ user }, playerId, true);
    await enrolCustom({ user, ...market }, demoPersonOf("banker").playerId, true);
    if (selections === "unknown") await forgetSelections();
    for (let minute = 0; minute < 4; minute++) {
      expect(await refreshStocksJob.run(ctx, work)).toMatchObject({ complete: 1, withoutKey: 0 });
      clock.advance(60);
    }
    const prices = await refreshPricesJob.run(ctx, work);
    expect(prices).toMatchObject({ points: 1, withoutKey: 0 });
    expect(prices.items).toBeGreaterThan(0);
  },
);

const listed = (wanted: KeyUses) =>
  Object.fromEntries(
    [...bySection(selectionsFor(wanted))].map(([section, names]) => [section, [...names]]),
  );

test("a custom key made for the faction's data reads all of it", async () => {
  const reader = demoPersonOf("developer").playerId;
  await enrolCustom(listed({ purposes: ["faction"] }), reader);
  clock.advance(3_600);
  for (const job of [refreshMembersJob, readPositionsJob, readAttacksJob, readCrimesJob])
    expect([job.name, await job.run(ctx, work)]).toEqual([
      job.name,
      expect.objectContaining({ factions: 1, failed: 0 }),
    ]);
  const { factionId } = await readVaultBalance(ctx, { playerId: reader });
  expect(factionId).toBe(7001);
  const news = { priority: "background", reads: selectionsByCall.vaultNews } as const;
  await callWithVaultKey(ctx, factionId, {
    ...news,
    call: (game, key) => game.factionNews(key, {}),
  });
  expect(await describeOwn(reader)).toMatchObject({ lastError: null });
});

test.each<[KeyPurpose, Job, object]>([
  ["lending", refreshStocksJob, { complete: 1, withoutKey: 0 }],
  ["lending", refreshPricesJob, { points: 1, withoutKey: 0 }],
  ["lending", refreshCrimeTypesJob, {}],
  ["fights", readOwnFightsJob, { read: 1 }],
])("a custom key made for %s is enough for it: %o", async (purpose, job, counts) => {
  await enrolCustom(listed({ purposes: [purpose] }), playerId, true);
  await on.update(accounts).set({ sharesOpponentStats: true });
  expect(await job.run(ctx, work)).toMatchObject(counts);
  expect(await describeOwn(playerId)).toMatchObject({ lastError: null });
});

test("a custom key without own fights is not asked for them", async () => {
  await enrolCustom(listed({ purposes: ["stats", "faction"] }));
  await on.update(accounts).set({ sharesOpponentStats: true });
  expect(await readOwnFightsJob.run(ctx, work)).not.toHaveProperty("read");
});

test("where an older key reads no battle stats, the newer one that does is used", async () => {
  await enrolCustom({ user });
  await enrolCustom(listed({ purposes: ["stats"] }));
  await on.delete(battleStats);
  clock.advance(3_601);
  expect(await refreshUsersJob.run(ctx, work)).toMatchObject({ refreshed: 1 });
  expect(await on.$count(battleStats)).toBe(1);
});

test("a new key also lists what the player's keys are used for, and the account says what none of them reads", async () => {
  const { accountId } = await enrolCustom({ user, faction: ["basic", "members"], torn: ["bank"] });
  const owner = { kind: "portal", accountId } as unknown as PortalUser;
  const live = { ...ctx, settings: { ...ctx.settings, demo: "off" as const } };
  const { selections, url } = await describeKeyToCreate(live, owner, { purposes: ["stats"] });
  expect(selections).toEqual([
    ...["user/profile", "user/discord", "user/faction"],
    ...["user/personalstats", "user/battlestats", "faction/basic", "faction/members"],
  ]);
  expect(url).toContain("&user=profile,discord,faction,personalstats,battlestats");
  const keys = await listGameKeys(ctx, owner);
  expect(unservedPurposes(keys, ["lendsKey"])).toEqual(["stats", "lending"]);
  await enrolCustom({ ...listed({ purposes: ["stats", "lending"] }) });
  expect(unservedPurposes(await listGameKeys(ctx, owner), ["lendsKey"])).toEqual([]);
});

test("a custom key that reads no players answers as no key, and not as a fault of the game", async () => {
  await enrolCustom({ user });
  await on.update(gameKeys).set({ selections: ["torn/stocks"] });
  clock.advance(601);
  expect(await callAsOwner(`/user/${playerId}?refresh=true`)).toMatchObject({
    status: 404,
    json: { code: 1200 },
  });
});
