import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { players } from "#db/schema/players";
import { routes } from "#server/routes";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { dispatchWorld } from "#server/testing/dispatch-world";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";
import { insertCrimeDelays } from "../crimes/store";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const ours = 7001;
const cleo = await mintPlayer(ctx, { factionId: ours });
const dex = await mintPlayer(ctx, { factionId: ours });
const them = await mintPlayer(ctx, { factionId: 7002 });
const scopes = ["faction:crimes"] as const;
const call = callAs(ctx, { playerId: cleo.id, scopes });
const path = `/faction/${ours}/crime/delays`;

const delay = (crimeId: number, playerId: number, slot = "P1") => ({
  crimeId,
  slot,
  playerId,
  position: "Lookout",
  positionIndex: 1,
  reason: `Traveling, late for ${crimeId}`,
});
await insertCrimeDelays(database.query, {
  factionId: ours,
  delays: [
    delay(10, cleo.id),
    delay(20, cleo.id),
    delay(20, dex.id, "P2"),
    delay(20, dex.id, "P3"),
    delay(30, dex.id),
    delay(40, cleo.id),
  ],
  at: clock.now(),
});
await insertCrimeDelays(database.query, {
  factionId: 7002,
  delays: [delay(25, them.id)],
  at: clock.now(),
});

const crimesOf = (json: unknown) => (json as { oc_id: number }[]).map(({ oc_id }) => oc_id);
const list = async (search: string) => crimesOf((await call(`${path}${search}`)).json);

test("delays are listed newest crime first, in the documented fields", async () => {
  const { status, json } = await call(path);
  expect(status).toBe(200);
  expect(crimesOf(json)).toEqual([40, 30, 20, 20, 20, 10]);
  expect((json as unknown[])[0]).toEqual({
    oc_id: 40,
    user_id: cleo.id,
    oc_position: "Lookout",
    oc_position_index: 1,
    delay_reason: "Traveling, late for 40",
    seen_at: expect.any(Number),
  });
});

test.each([
  ["?before=20", [40, 30, 20, 20, 20]],
  ["?after=20", [20, 20, 20, 10]],
  ["?before=20&after=30", [30, 20, 20, 20]],
  ["?min_id=20&max_id=30", [30, 20, 20, 20]],
  ["?before=30&min_id=10", [40, 30]],
  ["?before=31&after=29", []],
  ["?limit=2", [40, 30]],
])(
  "%s: before is the lowest id and after the highest, both included and both at once (game 7.55)",
  async (search, ids) => {
    expect(await list(search)).toEqual(ids);
  },
);

test.each([
  "limit=0",
  "limit=101",
  "limit=-1",
  "limit=1.5",
  "limit=abc",
  "before=0",
  "after=x",
  "limit=1&limit=2",
])("%s is refused (FZ-10)", async (search) => {
  expect(await call(`${path}?${search}`)).toMatchObject({ status: 400, json: { code: 1000 } });
});

test("a client that follows the links sees every delay once, however small its pages", async () => {
  for (const limit of [1, 2, 3, 4]) {
    const seen: unknown[] = [];
    let next: string | undefined = `${path}?limit=${limit}`;
    while (next) {
      const { json, headers } = await call(next);
      seen.push(...(json as unknown[]));
      next = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual((await call(path)).json);
  }
});

test.each(["after", "before", "max_id"])(
  "what the link holds turns the page as %s too, within a crime as well",
  async (name) => {
    for (const limit of [1, 2]) {
      const seen: unknown[] = [];
      for (let cursor: string | null = ""; cursor !== null && seen.length < 10; ) {
        const { json, headers } = await call(
          `${path}?limit=${limit}&skip=0${cursor && `&${name}=${cursor}`}`,
        );
        seen.push(...(json as unknown[]));
        const link = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
        cursor = link === undefined ? null : new URL(link).searchParams.get("after");
      }
      expect(seen).toEqual((await call(path)).json);
    }
  },
);

test("a lower bound stays while the pages are turned", async () => {
  const { headers } = await call(`${path}?before=20&limit=3`);
  const next = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  expect(crimesOf((await call(next ?? "")).json)).toEqual([20, 20]);
});

test.each([
  "after=20_",
  "after=_1",
  "after=20_1001",
  "after=2147483648_1",
  "before=20_x",
  "after=20_1_1",
])("%s is no place in the list (FZ-10)", async (search) => {
  expect(await call(`${path}?${search}`)).toMatchObject({ status: 400, json: { code: 1000 } });
});

test("the limit may stand in a JSON body of the GET, and the query wins (ER-07)", async () => {
  const world = dispatchWorld(ctx, routes);
  world.know("token", { playerId: cleo.id, scopes });
  const ask = (search: string, body: string) =>
    world.call(`/api/v1${path}${search}`, {
      token: "token",
      headers: { "content-type": "application/json" },
      peer: { address: "192.0.2.1", body: Buffer.from(body) },
    });
  expect(crimesOf((await ask("", '{"limit":5}')).json)).toHaveLength(5);
  expect(crimesOf((await ask("?limit=1", '{"limit":5}')).json)).toHaveLength(1);
  expect(crimesOf((await ask("", "{}")).json)).toHaveLength(6);
  for (const wrong of [
    '{"limit":null}',
    '{"limit":0}',
    '{"limit":101}',
    '{"limit":"5"}',
    "[]",
    "{",
  ])
    expect(await ask("", wrong)).toMatchObject({ status: 400 });
  const linked = await ask("", '{"limit":1}');
  expect(linked.headers.get("link")).toContain("limit=1");
});

test("no ability is needed, only the scope and the own faction (game 7.52)", async () => {
  const recruit = await mintPlayer(ctx, { factionId: ours, positionName: "Recruit" });
  expect(await callAs(ctx, { playerId: recruit.id, scopes })(path)).toMatchObject({ status: 200 });
});

test("another faction's delays are refused (ID-01)", async () => {
  for (const id of [7002, 7003])
    expect(await call(`/faction/${id}/crime/delays`)).toMatchObject({
      status: 403,
      json: { code: 4022 },
    });
  const loner = await mintPlayer(ctx, { factionId: null });
  expect(await callAs(ctx, { playerId: loner.id, scopes })(path)).toMatchObject({
    status: 404,
    json: { code: 1102 },
  });
});

test("who leaves loses access at once and is listed no more; the new faction sees none of it (ID-14, game 7.55)", async () => {
  const move = (factionId: number) =>
    database.query.update(players).set({ factionId }).where(eq(players.id, dex.id));
  const asDex = callAs(ctx, { playerId: dex.id, scopes });
  expect((await asDex(path)).status).toBe(200);
  await move(7002);
  expect(await asDex(path)).toMatchObject({ status: 403, json: { code: 4022 } });
  expect(await list("")).toEqual([40, 20, 10]);
  expect(crimesOf((await asDex("/faction/7002/crime/delays")).json)).toEqual([25]);
  await move(ours);
});

test("an unchanged list is not sent again to who has it", async () => {
  const etag = (await call(path)).headers.get("etag") ?? "";
  expect((await call(path, { "if-none-match": etag })).status).toBe(304);
});
