import { describe, expect, test } from "vitest";
import { failureOf } from "./failure-of";
import { type Failure, failureKinds, GameError, GeneralError } from "./failures";
import { gameCallError } from "./game/game-call-error";
import { badFields, failureResult } from "./rest/respond";
import { expandAliases } from "./rest/router";
import { routes } from "./routes";
import { testDatabase } from "./testing/database";
import { dispatchWorld, rate } from "./testing/dispatch-world";
import { enrol } from "./testing/enrol";
import { mintEntry, mintScore } from "./testing/stat-facts";
import { testContext } from "./testing/test-context";
import { mintFaction, mintPlayer } from "./testing/world";

/**
 * Mistakes that the predecessor made in every endpoint. Those of single endpoints are tested with
 * the endpoint under the same title: "§7 row …".
 */
const { ctx, clock, simulator } = await testContext({ database: await testDatabase() });
const world = dispatchWorld(ctx, routes);
const { playerId, accountId } = await enrol(ctx, "member");
const api = "/api/v1";
world.know("all", { playerId, accountId, scopes: ["identity", "faction", "service_key:usage"] });
const nextMinute = () => clock.advance(60);

describe("the catalogue of failures", () => {
  test("§7 row 1: one caller's details never reach another's answer, and absent ones are left out, not null", () => {
    const first = failureResult(GeneralError.because({ details: { message: "yours alone" } }));
    const second = failureResult(GeneralError.because());
    expect(first.body).toContain("yours alone");
    expect(JSON.parse(second.body ?? "")).toEqual({
      code: 0,
      name: "GeneralError",
      message: GeneralError.message,
    });
  });

  test("where there are details, details.message is one of them: the finer sentence, else the failure's own", () => {
    const detailsOf = (failure: Failure): unknown =>
      JSON.parse(failureResult(failure).body ?? "").details;
    for (const kind of failureKinds) {
      expect(detailsOf(kind.because({ details: { policy: "few" } }))).toEqual({
        message: kind.message,
        policy: "few",
      });
      expect(detailsOf(kind.because({ message: "This one.", details: {} }))).toEqual({
        message: "This one.",
      });
      expect(detailsOf(kind.because({ details: { message: "Finer." } }))).toEqual({
        message: "Finer.",
      });
      expect(detailsOf(kind.because({ message: "This one." }))).toBeUndefined();
    }
    const refused = gameCallError({ kind: "unexpected-answer", detail: "odd", gameCode: 7 });
    expect(detailsOf(failureOf(refused))).toEqual({ message: GameError.message, game_code: 7 });
    expect(detailsOf(badFields([{ field: "limit", message: "odd" }]))).toMatchObject({
      message: expect.stringMatching(/: limit\.$/),
    });
  });

  test("§7 row 2: every entry can be answered with: a status of HTTP, a name and a sentence", () => {
    for (const kind of failureKinds) {
      const { status, body } = failureResult(kind.because());
      expect([kind.code, status >= 400 && status < 600]).toEqual([kind.code, true]);
      expect(JSON.parse(body ?? "")).toMatchObject({
        code: kind.code,
        name: kind.name,
        message: kind.message,
      });
      expect(kind.message).toMatch(/^[A-Z].*\.$/);
    }
  });
});

test("§7 row 3: Remaining never falls below 0, Reset is seconds left, and the chain list's own limit is told as 5", async () => {
  nextMinute();
  const seen: number[][] = [];
  for (let call = 0; call < 8; call++)
    seen.push(rate(await world.call(`${api}/stat/chain-list`, { method: "POST", token: "all" })));
  expect(seen.map(([limit, remaining]) => [limit, remaining])).toEqual(
    [4, 3, 2, 1, 0, 0, 0, 0].map((remaining) => [5, remaining]),
  );
  for (const [, , reset] of seen) expect(reset).toBe(50);
});

describe("§7 row 5: scopes", () => {
  test("the parent is as good as its part, and a call without a token is nobody's, whatever cookies it has", async () => {
    nextMinute();
    const path = `${api}/faction/7001/crime/delays`;
    world.know("parent", { playerId, accountId, scopes: ["faction"] });
    expect((await world.call(path, { token: "parent" })).status).toBe(200);
    const cookie = "session=x; __Host-session=x; adjutant_session=x";
    for (const { path: at, endpoint } of expandAliases(routes)) {
      const asked = api + at.replace(/<int:\w+>/, "7001").replace(/<\w+>/, "1");
      const answer = await world.call(asked, { method: endpoint.method, headers: { cookie } });
      expect([at, answer.status, answer.json]).toMatchObject([at, 401, { code: 4001 }]);
    }
  });
});

test("§7 row 6: errors of the game and refusals of ours are JSON in the one shape, never a page", async () => {
  nextMinute();
  clock.advance(3_600);
  simulator.control.addFault({ http: 502, times: 10 });
  const calls = [
    world.call(`${api}/user/${playerId}?refresh=true`, { token: "all" }),
    world.call(`${api}/stat/chain-list`, { method: "POST", token: "all", body: "{" }),
    world.call(`${api}/user`),
    world.call(`${api}/faction/9/banking`, { token: "all" }),
    world.call(`${api}/nothing`, { token: "all", headers: { accept: "application/json" } }),
  ];
  const answers = await Promise.all(calls);
  simulator.control.clearFaults();
  expect(answers.map(({ status }) => status)).toEqual([503, 400, 401, 403, 404]);
  for (const { headers, json } of answers) {
    expect(headers.get("content-type")).toBe("application/json");
    expect(json).toMatchObject({
      code: expect.any(Number),
      name: expect.any(String),
      message: expect.any(String),
    });
  }
});

test("§7 row 7: scripts of other sites may call, but never with the browser's credentials", async () => {
  nextMinute();
  for (const method of ["GET", "OPTIONS"]) {
    const headers = { origin: "https://evil.example", "access-control-request-method": "GET" };
    const answer = await world.call(`${api}/user`, { token: "all", method, headers });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  }
});

test("§7 row 36: a refresh with the right scope is carried out, and one without it is refused", async () => {
  clock.advance(3_600);
  simulator.control.clearCache();
  world.know("bare", { playerId, accountId, scopes: ["identity"] });
  const path = `${api}/user/${playerId}?refresh=true`;
  expect((await world.call(path, { token: "bare" })).json).toMatchObject({ code: 4004 });
  const { status, json } = await world.call(path, { token: "all" });
  expect([status, (json as { last_refresh: number }).last_refresh]).toEqual([
    200,
    clock.now().getTime() / 1_000,
  ]);
});

test("§7 row 37: a player without known dates is answered, and dates that are known are whole seconds", async () => {
  nextMinute();
  const unseen = await mintPlayer(ctx, { lastRefresh: null, lastAction: null, level: null });
  const unknown = await world.call(`${api}/user/${unseen.id}`, { token: "all" });
  expect([unknown.status, unknown.json]).toMatchObject([
    200,
    { last_refresh: null, last_action: null, level: null },
  ]);
  const known = (await world.call(`${api}/user`, { token: "all" })).json as Record<string, unknown>;
  for (const field of ["last_refresh", "last_action"])
    expect(Number.isInteger(known[field])).toBe(true);
});

test("§7 row 66: members stand below faction/ and beside it in one list, and each documented sort order sorts", async () => {
  nextMinute();
  const { id: factionId } = await mintFaction(ctx, { membersRefreshed: ctx.now() });
  const members = [await mintPlayer(ctx, { factionId }), await mintPlayer(ctx, { factionId })];
  const listed = await world.call(`${api}/${factionId}/members`, { token: "all" });
  const below = await world.call(`${api}/faction/${factionId}/members`, { token: "all" });
  expect((listed.json as { ID: number }[]).map(({ ID }) => ID)).toEqual(
    members.map(({ id }) => id),
  );
  expect([below.status, below.text]).toEqual([200, listed.text]);

  await mintScore(ctx, playerId, 1_000);
  const ids: number[] = [];
  for (const level of [5, 90, 40]) {
    const { id } = await mintPlayer(ctx, { level });
    await mintEntry(ctx, { playerId: id, score: 400 });
    clock.advance(1);
    ids.push(id);
  }
  const [low, high, middle] = ids;
  const order = async (sort_order: string) => {
    const sent = { method: "POST", token: "all", body: { sort_order } };
    const { status, json } = await world.call(`${api}/stat/chain-list`, sent);
    return status === 200
      ? (json as { target: { ID: number } }[]).map(({ target }) => target.ID)
      : status;
  };
  expect(await order("highest-respect")).toEqual([high, middle, low]);
  expect(await order("recently-updated")).toEqual([middle, high, low]);
  expect(new Set((await order("random")) as number[])).toEqual(new Set([low, middle, high]));
  expect(await order("respect")).toBe(400);
});
