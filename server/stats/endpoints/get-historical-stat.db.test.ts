import { beforeEach, expect, test } from "vitest";
import { players } from "#db/schema/players";
import { statEntries, statLatest } from "#db/schema/stats";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { mintEntry } from "#server/testing/stat-facts";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const ago = (ms: number) => new Date(clock.now().getTime() - ms);
const seconds = (moment: Date) => Math.floor(moment.getTime() / 1_000);
const mine = callAs(ctx, { playerId: 1 });
const theirs = callAs(ctx, { playerId: 2 });

beforeEach(async () => {
  for (const table of [statEntries, statLatest, players]) await database.query.delete(table);
  clock.advance(60);
  await mintPlayer(ctx, { id: 1, factionId: 7001 });
  await mintPlayer(ctx, { id: 2, factionId: 7002 });
  await mintPlayer(ctx, { id: 10 });
});

test("the newest score, with what it says of the sum of the stats", async () => {
  await mintEntry(ctx, { playerId: 10, score: 40, timeAdded: ago(9_000) });
  await mintEntry(ctx, { playerId: 10, score: 5_600.25, timeAdded: ago(5_000) });
  await mintEntry(ctx, { playerId: 10, score: 41, timeAdded: ago(8_000) });
  const { status, json } = await mine("/user/10/stat");
  expect(status).toBe(200);
  expect(json).toEqual({
    stat_score: 5_600.25,
    min: 7_840_700,
    max: 11_404_654,
    timestamp: seconds(ago(5_000)),
  });
});

test("another faction's import looks exactly like none at all", async () => {
  await mintEntry(ctx, { playerId: 10, score: 40, visibleTo: 7002, source: "import" });
  expect(await theirs("/user/10/stat")).toMatchObject({ status: 200, json: { stat_score: 40 } });
  const hidden = await mine("/user/10/stat");
  expect(hidden).toMatchObject({ status: 404, json: { code: 1605 } });
  await database.query.delete(statLatest);
  expect((await mine("/user/10/stat")).text).toBe(hidden.text);
});

test("no answer is kept for somebody else, or shows by its tag that it would differ", async () => {
  await mintEntry(ctx, { playerId: 10, score: 40, visibleTo: 7002, source: "import" });
  const { headers } = await theirs("/user/10/stat");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("etag")).toBeNull();
  expect((await mine("/user/10/stat", { "if-none-match": "*" })).status).toBe(404);
});

test("a capped fight is no score", async () => {
  await mintEntry(ctx, { playerId: 10, score: 40, lowerBound: true });
  expect((await mine("/user/10/stat")).json).toMatchObject({ code: 1605 });
});

test("who left a faction loses its scores at once", async () => {
  await mintEntry(ctx, { playerId: 10, score: 40, visibleTo: 7002, source: "import" });
  await database.query.update(players).set({ factionId: null });
  expect((await theirs("/user/10/stat")).json).toMatchObject({ code: 1605 });
});

test("a known player without a score is 1605, an unknown one 1100", async () => {
  expect(await mine("/user/10/stat")).toMatchObject({
    status: 404,
    json: { code: 1605, name: "StatsNotAvailable" },
  });
  expect(await mine("/user/999/stat")).toMatchObject({
    status: 404,
    json: { code: 1100, name: "UnknownUser" },
  });
});
