import { eq, gte } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { players } from "#db/schema/players";
import {
  battleStats,
  estimateModels,
  personalStats,
  statEntries,
  statEstimates,
} from "#db/schema/stats";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";
import { demoPersonOf } from "#simulator/demo-people";
import { EstimateModel } from "./model/estimate-model";
import { renewEstimateModelJob, renewModel } from "./renew-model";
import { findModelInForce } from "./store";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const { query } = database;
const day = 86_400;
const work = { budget: 20, signal: new AbortController().signal };
const unix = (date: Date) => Math.floor(date.getTime() / 1_000);

const ago = (seconds: number) => new Date(ctx.now().getTime() - seconds * 1_000);
const countersOf = (xanax: number) => ({
  xanax,
  energyRefills: xanax / 4,
  energyDrinks: 0,
  elo: 1_000 + xanax / 10,
});
const scoreAt = (xanax: number) => 300 + 4 * xanax;

/** The id decides which players judge a model: every test has the same ones, whatever ran before it. */
const firstPlayer = 700_000;
let nextPlayer = firstPlayer;

async function mintCounted(xanax: number, readAgo = 0): Promise<number> {
  const { id } = await mintPlayer(ctx, {
    id: nextPlayer++,
    level: 1 + (xanax % 90),
    signedUp: ago(1_000 * day),
    lastRefresh: ago(readAgo),
  });
  const at = ago(readAgo);
  await query
    .insert(personalStats)
    .values({ playerId: id, day: at.toISOString().slice(0, 10), counters: countersOf(xanax), at });
  return id;
}

async function mintFights(
  many: number,
  fields: Partial<typeof statEntries.$inferInsert> = {},
): Promise<void> {
  for (let index = 0; index < many; index++) {
    const xanax = 10 + ((index * 37) % 3_000);
    const playerId = await mintCounted(xanax);
    const told = {
      visibleTo: 0,
      score: scoreAt(xanax),
      timeAdded: ago(60),
      sigma: 0.005,
      source: "fight" as const,
    };
    await query
      .insert(statEntries)
      .values({ ...told, playerId, attackCode: `code-${playerId}`, ...fields });
  }
}

const call = callAs(ctx, { playerId: demoPersonOf("loner").playerId, scopes: [] });

beforeEach(async () => {
  for (const table of [statEntries, statEstimates, estimateModels, personalStats, battleStats])
    await query.delete(table);
  await query.delete(players).where(gte(players.id, firstPlayer));
  nextPlayer = firstPlayer;
  clock.advance(day);
});

describe("with a trained model", () => {
  beforeEach(async () => {
    await mintFights(260);
    expect(await renewModel(ctx)).toMatchObject({ outcome: "renewed", players: 260 });
  });

  test("an estimate comes from public counters, and ends a week after they were read, which is a time and not an age (§7 row 59)", async () => {
    const playerId = await mintCounted(1_000, 2 * day);
    const { status, json } = await call(`/user/estimate/${playerId}`);
    expect(status).toBe(200);
    const { stat_score: score, min_bs, max_bs, expiration } = json as Record<string, number>;
    expect(Math.abs((score ?? 0) / scoreAt(1_000) - 1)).toBeLessThan(0.15);
    expect([min_bs, max_bs]).toEqual([
      Math.floor((score ?? 0) ** 2 / 4),
      Math.floor((score ?? 0) ** 2 / 2.75),
    ]);
    expect(expiration).toBe(unix(ago(2 * day)) + 7 * day);
  });

  test("the same estimate is given until it ends, and a new one after the counters were read again", async () => {
    const playerId = await mintCounted(1_000);
    const first = await call(`/user/estimate/${playerId}`);
    await query
      .update(personalStats)
      .set({ counters: countersOf(2_900) })
      .where(eq(personalStats.playerId, playerId));
    expect((await call(`/user/estimate/${playerId}`)).text).toBe(first.text);
    clock.advance(7 * day);
    await query
      .update(personalStats)
      .set({ at: ctx.now() })
      .where(eq(personalStats.playerId, playerId));
    const { stat_score: later } = (await call(`/user/estimate/${playerId}`)).json as {
      stat_score: number;
    };
    expect(later).toBeGreaterThan(2 * (first.json as { stat_score: number }).stat_score);
  });

  test("BR-10: without service_key:usage an old estimate is given with its past expiration, and the game is not asked", async () => {
    const playerId = await mintCounted(1_000, 30 * day);
    const asked = vi.spyOn(ctx.game, "player");
    const { status, json } = await call(`/user/estimate/${playerId}`);
    expect([status, (json as { expiration: number }).expiration]).toEqual([
      200,
      unix(ago(23 * day)),
    ]);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });

  test("with service_key:usage counters older than a week are read again with the caller's key", async () => {
    const { playerId: caller } = await enrol(ctx, "loner");
    const target = demoPersonOf("outsider").playerId;
    const usage = callAs(ctx, { playerId: caller, scopes: ["service_key:usage"] });
    const { status, json } = await usage(`/user/estimate/${target}`);
    expect([status, (json as { expiration: number }).expiration]).toEqual([
      200,
      unix(ctx.now()) + 7 * day,
    ]);
  });

  test("what a player's own key told is not used: a score of their own changes nothing", async () => {
    const [one, other] = [await mintCounted(1_000), await mintCounted(1_000)];
    const own = {
      strength: 1e9,
      defense: 1e9,
      speed: 1e9,
      dexterity: 1e9,
      score: 126_491,
      at: ctx.now(),
    };
    await query.insert(battleStats).values({ playerId: other, ...own });
    await query.update(players).set({ level: 12 });
    const [a, b] = [await call(`/user/estimate/${one}`), await call(`/user/estimate/${other}`)];
    expect(b.text).toBe(a.text);
  });

  test("a fight that one faction alone may see, and an import, teach the model nothing", async () => {
    const coefficients = async () =>
      EstimateModel.parse((await findModelInForce(query))?.model).coefficients;
    const before = await coefficients();
    await mintFights(40, { visibleTo: 7001, score: 1e9 });
    await mintFights(40, { visibleTo: 7001, score: 1e9, source: "import" });
    await renewModel(ctx);
    expect(await coefficients()).toEqual(before);
  });

  test("a model that is worse does not take the place of the one in force, and both are kept", async () => {
    const good = (await findModelInForce(query))?.id;
    await query.delete(statEntries);
    for (let index = 0; index < 260; index++) {
      const told = { visibleTo: 0, timeAdded: ctx.now(), sigma: 0.005, source: "fight" as const };
      const score = 100 * 1.02 ** ((index * 7_919) % 400);
      await query
        .insert(statEntries)
        .values({ ...told, score, playerId: await mintCounted(500), attackCode: `noise-${index}` });
    }
    await renewModel(ctx);
    const rows = await query.select().from(estimateModels);
    expect(rows).toHaveLength(2);
    expect(rows.filter(({ inForce }) => inForce)).toHaveLength(1);
    expect((await findModelInForce(query))?.id).toBe(good);
  });

  test("the job trains again after a night with enough new fights, and not before", async () => {
    expect(await renewEstimateModelJob.run(ctx, work)).toMatchObject({ trained: 0 });
    clock.advance(day);
    expect(await renewEstimateModelJob.run(ctx, work)).toMatchObject({ trained: 0 });
    await mintFights(500);
    expect(await renewEstimateModelJob.run(ctx, work)).toMatchObject({ trained: 1 });
  });

  test("a model that another version made of other features is replaced at once", async () => {
    const model = EstimateModel.parse((await findModelInForce(query))?.model);
    await query
      .update(estimateModels)
      .set({ model: { ...model, features: [...model.features, "luck"] } });
    expect(await renewEstimateModelJob.run(ctx, work)).toMatchObject({ trained: 1, renewed: 1 });
    const { status } = await call(`/user/estimate/${await mintCounted(1_000)}`);
    expect(status).toBe(200);
  });
});

describe("without an estimate", () => {
  test("an unknown player is 1100, one without counters or without a model 1605 with the reason", async () => {
    expect((await call("/user/estimate/999999999")).json).toMatchObject({ code: 1100 });
    const { id } = await mintPlayer(ctx);
    expect((await call(`/user/estimate/${id}`)).json).toMatchObject({
      code: 1605,
      details: { message: expect.any(String) },
    });
    const counted = await mintCounted(100);
    expect((await call(`/user/estimate/${counted}`)).json).toMatchObject({ code: 1605 });
  });

  test("too few fights make no model", async () => {
    await mintFights(20);
    expect(await renewEstimateModelJob.run(ctx, work)).toMatchObject({ trained: 0, players: 20 });
    expect(await findModelInForce(query)).toBeUndefined();
  });
});
