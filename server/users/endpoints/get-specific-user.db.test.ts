import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { accounts, gameKeys } from "#db/schema/accounts";
import { factions, players } from "#db/schema/players";
import type { ScopeName } from "#server/scopes";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintPlayer } from "#server/testing/world";
import { demoPersonOf } from "#simulator/demo-people";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const mayUseKey: ScopeName[] = ["service_key:usage"];

/** Calls to the game with their keys. */
const asked: { key: string; playerId: number | undefined }[] = [];
const watched = {
  ...ctx,
  game: {
    ...ctx.game,
    player: (...question: Parameters<typeof ctx.game.player>) => {
      const [key, playerId] = question;
      asked.push({ key, playerId });
      return ctx.game.player(...question);
    },
    ownPlayer: (...question: Parameters<typeof ctx.game.ownPlayer>) => {
      asked.push({ key: question[0], playerId: undefined });
      return ctx.game.ownPlayer(...question);
    },
  },
};

beforeEach(async () => {
  await database.query.delete(accounts);
  await database.query.delete(players);
  await database.query.delete(factions);
  simulator.control.clearFaults();
  simulator.control.clearCache();
  clock.advance(120);
  asked.length = 0;
});

test("a user's record has the fields of the specification and nothing else", async () => {
  await mintFaction(ctx, { id: 7002, name: "Copper Tide" });
  const { id } = await mintPlayer(ctx, {
    name: "Dex",
    level: 31,
    factionId: 7002,
    chatId: 9_007_199_254_740_993n,
  });
  const { status, json, text } = await callAs(ctx, {})(`/user/${id}`);
  expect(status).toBe(200);
  expect(json).toEqual({
    tid: id,
    name: "Dex",
    username: `Dex [${id}]`,
    level: 31,
    last_refresh: Math.floor(clock.now().getTime() / 1_000),
    chat_id: 9_007_199_254_740_993n,
    faction: { tid: 7002, name: "Copper Tide" },
    last_action: null,
  });
  expect(text).toContain('"chat_id":9007199254740993,');
});

test("a player without a faction has faction null", async () => {
  const { id } = await mintPlayer(ctx, { factionId: null });
  expect((await callAs(ctx, {})(`/user/${id}`)).json).toMatchObject({ faction: null });
});

test("a player that nobody has seen is unknown", async () => {
  const { status, json } = await callAs(ctx, {})("/user/424242");
  expect(status).toBe(404);
  expect(json).toMatchObject({ code: 1100, name: "UnknownUser" });
});

describe("refresh", () => {
  test("BR-10 without service_key:usage it is refused, and nobody is asked", async () => {
    const { playerId } = await enrol(ctx, "member");
    clock.advance(3_600);
    const { status, json, headers } = await callAs(watched, { playerId })(
      `/user/${playerId}?refresh=true`,
    );
    expect(status).toBe(403);
    expect(json).toMatchObject({
      code: 4004,
      details: { required: mayUseKey, granted: [], missing: mayUseKey },
    });
    expect(headers.get("www-authenticate")).toContain(
      'error="insufficient_scope", scope="service_key:usage"',
    );
    expect(asked).toEqual([]);
  });

  test.each(["false", "FALSE", "False"])(
    "refresh=%s asks nobody and needs no scope",
    async (word) => {
      const { playerId } = await enrol(ctx, "member");
      clock.advance(3_600);
      expect(
        (await callAs(watched, { playerId })(`/user/${playerId}?refresh=${word}`)).status,
      ).toBe(200);
      expect(asked).toEqual([]);
    },
  );

  test.each(["1", "yes", "", "truee"])(
    'refresh="%s" is an error that names the field',
    async (word) => {
      const { status, json } = await callAs(ctx, { scopes: mayUseKey })(
        `/user/1001?refresh=${word}`,
      );
      expect(status).toBe(400);
      expect(json).toMatchObject({ code: 1000, details: { errors: [{ field: "refresh" }] } });
    },
  );

  test.each(["true", "TRUE", "True"])("refresh=%s asks with the target's own key", async (word) => {
    const target = await enrol(ctx, "banker");
    const caller = await enrol(ctx, "member");
    clock.advance(601);
    const call = callAs(watched, { playerId: caller.playerId, scopes: mayUseKey });
    const { status, json } = await call(`/user/${target.playerId}?refresh=${word}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ last_refresh: Math.floor(clock.now().getTime() / 1_000) });
    expect(asked).toEqual([{ key: target.key, playerId: undefined }]);
  });

  test("a player refreshed under ten minutes ago is not asked for again", async () => {
    const { playerId } = await enrol(ctx, "member");
    const call = callAs(watched, { playerId, scopes: mayUseKey });
    clock.advance(599);
    expect((await call(`/user/${playerId}?refresh=true`)).status).toBe(200);
    expect(asked).toEqual([]);
    clock.advance(1);
    expect((await call(`/user/${playerId}?refresh=true`)).status).toBe(200);
    expect(asked).toHaveLength(1);
  });

  test("of many calls for one player at the same moment one asks the game, and all get what it said", async () => {
    const target = await enrol(ctx, "banker");
    const caller = await enrol(ctx, "member");
    clock.advance(601);
    const call = callAs(watched, { playerId: caller.playerId, scopes: mayUseKey });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(`/user/${target.playerId}?refresh=true`)),
    );
    const last_refresh = Math.floor(clock.now().getTime() / 1_000);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, json: { last_refresh } });
    expect(asked).toHaveLength(1);
  });

  test("who waited for somebody else's call in vain asks for themselves", async () => {
    const stranger = demoPersonOf("outsider");
    const caller = await enrol(ctx, "member");
    const keyless = callAs(watched, { playerId: 1, scopes: mayUseKey });
    const call = callAs(watched, { playerId: caller.playerId, scopes: mayUseKey });
    const path = `/user/${stranger.playerId}?refresh=true`;
    const [without, ...others] = await Promise.all([keyless(path), call(path), call(path)]);
    expect(without).toMatchObject({ status: 404, json: { code: 1200 } });
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("of many who waited in vain one asks for all of them, each with a key of their own", async () => {
    const stranger = demoPersonOf("outsider");
    const caller = await enrol(ctx, "member");
    const path = `/user/${stranger.playerId}?refresh=true`;
    const keyless = [1, 2, 3].map((playerId) => callAs(watched, { playerId, scopes: mayUseKey }));
    const call = callAs(watched, { playerId: caller.playerId, scopes: mayUseKey });
    const answers = await Promise.all(
      [...keyless, ...Array.from({ length: 20 }, () => call)].map((ask) => ask(path)),
    );
    expect(answers.map(({ status }) => status)).toEqual([
      404,
      404,
      404,
      ...Array.from({ length: 20 }, () => 200),
    ]);
    expect(asked).toEqual([{ key: caller.key, playerId: stranger.playerId }]);
  });

  test.each([
    { times: 1, statuses: [503, ...Array.from({ length: 9 }, () => 200)] },
    { times: 9, statuses: Array.from({ length: 10 }, () => 503) },
  ])(
    "a game that fails $times times is asked again by one of those who waited, and by no other",
    async (given) => {
      const stranger = demoPersonOf("outsider");
      const caller = await enrol(ctx, "member");
      simulator.control.addFault({ player: caller.playerId, code: 17, times: given.times });
      const call = callAs(watched, { playerId: caller.playerId, scopes: mayUseKey });
      const path = `/user/${stranger.playerId}?refresh=true`;
      const answers = await Promise.all(Array.from({ length: 10 }, () => call(path)));
      expect(answers.map(({ status }) => status)).toEqual(given.statuses);
      expect(asked).toHaveLength(2);
    },
  );

  test("a player never seen is fetched with the caller's key", async () => {
    const caller = await enrol(ctx, "member");
    const stranger = demoPersonOf("outsider");
    const call = callAs(watched, { playerId: caller.playerId, scopes: mayUseKey });
    const { status, json } = await call(`/user/${stranger.playerId}?refresh=true`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      name: stranger.name,
      faction: { tid: 7002, name: "Copper Tide" },
    });
    expect(asked).toEqual([{ key: caller.key, playerId: stranger.playerId }]);
  });

  test("where the target's key is dead, the caller's is used, and the dead one is not used again", async () => {
    const target = await enrol(ctx, "banker");
    const caller = await enrol(ctx, "member");
    simulator.control.deleteKey({ key: target.key });
    simulator.control.clearCache();
    clock.advance(601);
    const call = callAs(watched, { playerId: caller.playerId, scopes: mayUseKey });
    expect((await call(`/user/${target.playerId}?refresh=true`)).status).toBe(200);
    // What the dead key may read was asked first, and nothing after it.
    expect(asked.map(({ key }) => key)).toEqual([caller.key]);
    const [row] = await database.query
      .select()
      .from(gameKeys)
      .where(eq(gameKeys.playerId, target.playerId));
    expect(row).toMatchObject({ state: "dead", sealed: null });
    simulator.control.createKey({ playerId: target.playerId, key: target.key, level: 3 });
  });

  test("without any key it is an error of its own", async () => {
    const { id } = await mintPlayer(ctx, { lastRefresh: null });
    const { status, json } = await callAs(ctx, { scopes: mayUseKey })(`/user/${id}?refresh=true`);
    expect(status).toBe(404);
    expect(json).toMatchObject({ code: 1200 });
  });

  test("that the game does not know is unknown here too", async () => {
    const { playerId } = await enrol(ctx, "member");
    const { status, json } = await callAs(ctx, { playerId, scopes: mayUseKey })(
      "/user/424242?refresh=true",
    );
    expect(status).toBe(404);
    expect(json).toMatchObject({ code: 1100 });
  });

  test.each([
    { fault: { code: 17 }, status: 503, code: 4101 },
    { fault: { drop: true }, status: 503, code: 4101 },
    { fault: { malformed: true }, status: 502, code: 4100 },
  ])(
    "a game that fails with $fault is said to have failed, and the stored record stays",
    async (given) => {
      const { playerId } = await enrol(ctx, "member");
      clock.advance(601);
      simulator.control.clearCache();
      simulator.control.addFault({ player: playerId, ...given.fault });
      const call = callAs(ctx, { playerId, scopes: mayUseKey });
      const { status, json } = await call(`/user/${playerId}?refresh=true`);
      expect(status).toBe(given.status);
      expect(json).toMatchObject({ code: given.code });
      expect((await call(`/user/${playerId}`)).status).toBe(200);
    },
  );
});

test("a caller's refreshes leave most of the own key's calls to the jobs that need it", async () => {
  const person = await enrol(ctx, "member");
  const call = callAs(watched, {
    playerId: person.playerId,
    accountId: person.accountId,
    scopes: mayUseKey,
  });
  // Players without a key of their own, read with the caller's key.
  const strangers = (simulator.control.playerIds() as number[]).slice(100, 130);
  clock.advance(60);
  const answers = [];
  for (const id of strangers) answers.push(await call(`/user/${id}?refresh=true`));
  expect(asked.filter(({ key }) => key === person.key)).toHaveLength(20);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  for (const { json, headers } of refused) {
    expect(json).toMatchObject({ code: 4000, details: { policy: "user-refresh", limit: 20 } });
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
});
