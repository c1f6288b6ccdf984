import { beforeEach, describe, expect, test } from "vitest";
import { players } from "#db/schema/players";
import { battleStats } from "#db/schema/stats";
import { callAs } from "#server/testing/call-as";
import { chainListWorld, me } from "#server/testing/chain-list-world";
import { mintEntry, mintScore } from "#server/testing/stat-facts";
import { mintPlayer } from "#server/testing/world";

const { database, ctx, clock, ask, listed, ago, ids, target } = await chainListWorld();
const seconds = (moment: Date) => Math.floor(moment.getTime() / 1_000);

test("an entry has the fields of the specification and nothing else", async () => {
  await target(10, 375, {
    name: "Dex",
    level: 50,
    factionId: 7002,
    lastAction: ago(1),
    lastRefresh: ago(2),
  });
  const { status, json } = await ask();
  expect(status).toBe(200);
  expect(json).toEqual([
    {
      time_added: seconds(clock.now()),
      stat_score: 375,
      fair_fight: 2,
      respect: 2.5,
      target: {
        ID: 10,
        name: "Dex",
        faction: { ID: 7002, name: "Copper Tide" },
        last_action: seconds(ago(1)),
        last_refresh: seconds(ago(2)),
      },
    },
  ]);
});

test("null dates and no faction are null (mistake 58)", async () => {
  await target(10, 375, { factionId: null, lastAction: null, lastRefresh: null });
  expect(await listed()).toMatchObject([
    { target: { faction: null, last_action: null, last_refresh: null } },
  ]);
});

test("the calls a minute are as many as the setting says", async () => {
  const rates = { ...ctx.settings.rates, chainList: 2 };
  const strict = { ...ctx, settings: { ...ctx.settings, rates } };
  const call = callAs(strict, { playerId: me });
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push(await call("/stat/chain-list", {}, {}));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(answers[2]?.json).toMatchObject({ details: { policy: "chain-list", limit: 2 } });
});

describe("the caller's score", () => {
  test("is missing: 1604", async () => {
    await database.query.delete(battleStats);
    const { status, json } = await ask();
    expect(status).toBe(409);
    expect(json).toMatchObject({ code: 1604, name: "StatScoreMissing" });
  });

  test("may come from the own faction's import, and from nobody else's", async () => {
    await database.query.delete(battleStats);
    await target(10, 375);
    await mintEntry(ctx, { playerId: me, score: 500, visibleTo: 7002, source: "import" });
    await mintEntry(ctx, { playerId: me, score: 500, visibleTo: 0 });
    expect((await ask()).json).toMatchObject({ code: 1604 });
    await mintEntry(ctx, { playerId: me, score: 750, visibleTo: 7001, source: "import" });
    expect(await listed()).toMatchObject([{ fair_fight: 2.33 }]);
  });

  test("from their own key goes before an import", async () => {
    await target(10, 375);
    await mintEntry(ctx, { playerId: me, score: 750, visibleTo: 7001, source: "import" });
    expect(await listed()).toMatchObject([{ fair_fight: 2 }]);
  });
});

describe("fair fight", () => {
  test("is not capped, and respect counts 3 of it", async () => {
    await target(10, 3_000, { level: 100 });
    expect(await listed({ maximum_difficulty: 10 })).toMatchObject([
      { fair_fight: 9, respect: 4.5 },
    ]);
  });

  test("is compared as it is shown: a 3.00 fits a maximum of 3", async () => {
    await target(10, 751);
    await target(11, 753);
    const found = await listed({});
    expect(found).toMatchObject([{ fair_fight: 3, target: { ID: 10 } }]);
  });
});

describe("left out are", () => {
  test("the caller and their own faction (mistake 58)", async () => {
    await mintEntry(ctx, { playerId: me, score: 375 });
    await target(10, 375, { factionId: 7001 });
    await target(11, 375, { factionId: 7002 });
    expect(await ids()).toEqual([11]);
  });

  test("players in federal jail and fallen ones, until their end", async () => {
    await target(10, 375, { federalUntil: new Date("9999-12-31T00:00:00Z") });
    await target(11, 375, { federalUntil: ago(-1) });
    await target(12, 375, { federalUntil: ago(1) });
    expect(await ids()).toEqual([12]);
  });

  test("scores that are older than six months", async () => {
    for (const [id, age] of [
      [10, 180],
      [11, 190],
    ] as const) {
      await mintPlayer(ctx, { id });
      await mintEntry(ctx, { playerId: id, score: 375, timeAdded: ago(age) });
    }
    expect(await ids()).toEqual([10]);
  });

  test("players of an unknown level, and those out of range", async () => {
    await target(10, 375, { level: null });
    await target(11, 375, { level: 29 });
    await target(12, 375, { level: 30 });
    expect(await ids({ minimum_level: 30 })).toEqual([12]);
    expect(await ids()).toEqual([11, 12]);
  });

  test("active players, where inactive ones are wanted", async () => {
    await target(10, 375, { lastAction: ago(31), lastRefresh: ago(20) });
    await target(11, 375, { lastAction: ago(29), lastRefresh: ago(1) });
    await target(12, 375, { lastAction: ago(60), lastRefresh: ago(22) });
    await target(13, 375, { lastAction: null, lastRefresh: ago(1) });
    expect(await ids({ is_inactive: true })).toEqual([10]);
    expect(await ids({ inactive: true })).toEqual([10]);
  });
});

test("a target who moves into the caller's faction, or acts again, leaves the list at once", async () => {
  await target(10, 375, { lastAction: ago(40), lastRefresh: ago(1), factionId: null });
  expect(await ids({ is_inactive: true })).toEqual([10]);
  await database.query.update(players).set({ lastAction: ago(1) });
  expect(await ids({ is_inactive: true })).toEqual([]);
  expect(await ids()).toEqual([10]);
  await database.query.update(players).set({ factionId: 7001 });
  expect(await ids()).toEqual([]);
});

describe("scores of one faction alone", () => {
  beforeEach(async () => {
    await mintScore(ctx, 2, 1_000);
    await mintPlayer(ctx, { id: 10, factionId: null });
    await mintEntry(ctx, { playerId: 10, score: 375, visibleTo: 7002, source: "import" });
  });

  test("reach its members and nobody else", async () => {
    expect(await ids()).toEqual([]);
    expect(await ids({}, { token: "theirs" })).toEqual([10]);
  });

  test("do not hide or move a public score for others", async () => {
    await mintEntry(ctx, { playerId: 10, score: 500, timeAdded: ago(1) });
    expect(await listed()).toMatchObject([{ fair_fight: 2.33 }]);
    expect(await listed({}, { token: "theirs" })).toMatchObject([{ fair_fight: 2 }]);
  });

  test("give way to a newer public one, also where that one does not fit", async () => {
    clock.advance(5);
    await mintEntry(ctx, { playerId: 10, score: 9_999 });
    expect(await ids({}, { token: "theirs" })).toEqual([]);
  });

  test("are lost to a member who leaves, at once", async () => {
    await database.query.update(players).set({ factionId: 7003 });
    expect(await ids({}, { token: "theirs" })).toEqual([]);
  });
});

describe("the order", () => {
  beforeEach(async () => {
    for (const [id, score, level, age] of [
      [10, 375, 1, 3],
      [11, 375, 100, 2],
      [12, 700, 1, 1],
      [13, 100, 100, 4],
    ] as const) {
      await mintPlayer(ctx, { id, level });
      await mintEntry(ctx, { playerId: id, score, timeAdded: ago(age) });
    }
  });
  const inOrder = async (body: unknown) => (await listed(body)).map(({ target }) => target.ID);

  test("recently-updated: the newest score first", async () => {
    expect(await inOrder({ sort_order: "recently-updated" })).toEqual([12, 11, 10, 13]);
  });

  test("highest-respect: what brings most first, as it is shown", async () => {
    const found = await listed({ sort_order: "highest-respect" });
    expect(found.map(({ target }) => target.ID)).toEqual([11, 12, 10, 13]);
    expect(found.map(({ respect }) => respect)).toEqual([3, 2.87, 2, 1.9]);
  });

  test("random: everybody, each time in another order", async () => {
    const lists = [];
    for (let turn = 0; turn < 5; turn++) {
      clock.advance(60);
      lists.push(await inOrder({}));
    }
    for (const list of lists) expect([...list].sort()).toEqual([10, 11, 12, 13]);
    expect(new Set(lists.map(String)).size).toBeGreaterThan(1);
  });

  test("no more than the limit", async () => {
    expect(await inOrder({ sort_order: "recently-updated", limit: 2 })).toEqual([12, 11]);
  });
});
