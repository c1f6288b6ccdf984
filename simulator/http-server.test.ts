import { expect, onTestFinished, test } from "vitest";
import { createGameClient } from "#server/game/client";
import { onLoopback } from "#server/testing/on-loopback";
import { createSimulatorServer } from "./http-server";
import { createSimulator } from "./simulator";

async function serve() {
  const simulator = createSimulator({
    seed: 1,
    epoch: new Date("2026-01-01T12:00:00.000Z"),
    world: "small",
  });
  const port = await onLoopback(createSimulatorServer(simulator), onTestFinished);
  const origin = `http://127.0.0.1:${port}`;
  const post = (verb: string, body: unknown, type = "application/json") =>
    fetch(`${origin}/__sim/${verb}`, {
      method: "POST",
      headers: { "content-type": type },
      body: JSON.stringify(body),
    });
  const client = createGameClient({
    baseUrl: `${origin}/v2`,
    fetch,
    now: simulator.now,
    timeoutMs: 5_000,
  });
  return { simulator, origin, post, client, keys: simulator.demoKeys };
}

test("the product's client reads the simulated game over a real socket", async () => {
  const { client, keys, simulator } = await serve();
  const near = createGameClient({
    baseUrl: simulator.baseUrl,
    fetch: simulator.fetch,
    now: simulator.now,
  });
  expect(await client.player(keys.banker)).toEqual(await near.player(keys.banker));
  expect(await client.factionMembers(keys.banker)).toEqual(await near.factionMembers(keys.banker));
});

test("faults reach the socket: a page, a cut connection, a redirect that is not followed", async () => {
  const { client, keys, post } = await serve();
  for (const [fault, kind] of [
    [{ http: 502 }, "server-side"],
    [{ drop: true }, "network"],
    [{ redirect: "http://127.0.0.1:1/" }, "unexpected-answer"],
  ] as const) {
    expect((await post("add-fault", fault)).status).toBe(200);
    await expect(client.keyInfo(keys.member)).rejects.toMatchObject({ kind });
  }
  expect((await client.keyInfo(keys.member)).playerId).toBe(1003);
});

test("bytes reach the socket as they are: too many of them, none, and those that are no text", async () => {
  const { client, keys, post, simulator } = await serve();
  for (const fault of [{ huge: true }, { empty: true }, { encoding: true }] as const) {
    await post("add-fault", fault);
    await expect(client.keyInfo(keys.member)).rejects.toMatchObject({ kind: "unexpected-answer" });
    simulator.control.advance({ seconds: 60 });
  }
  expect((await client.keyInfo(keys.member)).playerId).toBe(1003);
});

test("a connection that nobody answers is a network failure", async () => {
  const client = createGameClient({
    baseUrl: "http://127.0.0.1:1/v2",
    fetch,
    now: () => new Date(0),
  });
  await expect(client.keyInfo("SecretSecret0123")).rejects.toMatchObject({ kind: "network" });
});

test("control verbs are posted as JSON and answer with what they did", async () => {
  const { client, keys, post } = await serve();
  const made = await (await post("create-key", { playerId: 1005, level: 1 })).json();
  expect(made).toEqual({ ok: true, result: { key: expect.stringMatching(/^[A-Za-z0-9]{16}$/) } });
  expect((await client.keyInfo(made.result.key)).level).toBe(1);
  const changed = await post("set-player", {
    playerId: 1003,
    chatId: "9007199254740993",
    lastAction: null,
  });
  expect(changed.status).toBe(200);
  expect((await client.player(keys.member)).chatId).toBe(9007199254740993n);
});

test("a verb that is unknown, wrong or sent by a web form is refused", async () => {
  const { origin, post } = await serve();
  expect((await post("explode", {})).status).toBe(404);
  expect((await post("constructor", {})).status).toBe(404);
  expect((await post("create-key", { playerId: "x" })).status).toBe(400);
  expect((await post("advance", { seconds: 5 }, "text/plain")).status).toBe(415);
  expect((await fetch(`${origin}/__sim/state`)).status).toBe(405);
});

test("rows of a day are counted for each player and category, over a window that moves with each of them", async () => {
  const { origin, post, keys, simulator } = await serve();
  const limit = 60;
  await post("set-behaviour", { dailyRows: limit });
  const advance = (seconds: number) => post("advance", { seconds });
  const read = async (path: string, key: string = keys.banker) => {
    const response = await fetch(`${origin}/v2/${path}`, {
      headers: { authorization: `ApiKey ${key}` },
    });
    return await response.json();
  };
  const news = async (rows: number, key?: string) => {
    const answer = await read(`faction/news?cat=giveFunds&limit=${rows}&timestamp=1`, key);
    return answer.error?.code ?? answer.news.length;
  };
  /** Twenty counters. */
  const stats = async (call: number) =>
    (await read(`user/personalstats?cat=popular&timestamp=${call}`)).error?.code ?? "answered";

  expect(await news(25)).toBe(25);
  await advance(3_600);
  expect([await news(25), await news(25)]).toEqual([25, 25]);
  // Spent for other selections of the call and for the player's other keys, but not for another
  // player or category.
  expect([
    await news(1),
    (await read("faction?selections=basic,news&cat=giveFunds")).error.code,
  ]).toEqual([14, 14]);
  expect(await news(1, simulator.control.createKey({ playerId: 1002 }).key)).toBe(14);
  expect(await news(1, keys.developer)).toBe(1);
  expect([await stats(1), await stats(2), await stats(3), await stats(4)]).toEqual([
    "answered",
    "answered",
    "answered",
    14,
  ]);
  // An hour before the window's end nothing is free; then only the first reads.
  await advance(23 * 3_600 - 1);
  expect(await news(1)).toBe(14);
  await advance(1);
  expect([await news(11), await news(1)]).toEqual([11, 14]);
  await advance(3_600);
  expect([await news(50), await news(1)]).toEqual([50, 14]);
});

test("an answer that the game still remembers costs no rows", async () => {
  const { origin, post, keys } = await serve();
  await post("set-behaviour", { dailyRows: 30 });
  const read = async () => {
    const response = await fetch(
      `${origin}/v2/faction/news?cat=giveFunds&limit=25&key=${keys.banker}`,
    );
    return (await response.json()).error?.code ?? "answered";
  };
  expect([await read(), await read(), await read(), await read()]).toEqual(
    Array(4).fill("answered"),
  );
  await post("clear-cache", {});
  expect([await read(), await read()]).toEqual(["answered", 14]);
});
