import { expect, test } from "vitest";
import { createSimulator } from "#simulator/simulator";
import { createGameClient, type GameClient } from "./client";

/*
 * Answers of the simulated game, which have the fields of the game's own document, with one place varied as the game varies it:
 * null, left out, an empty list for an object, or one field more.
 */
const simulator = createSimulator({
  seed: 7,
  epoch: new Date("2026-03-01T12:00:00Z"),
  world: "small",
});
const key = simulator.demoKeys.developer;

type Call = (game: GameClient) => Promise<unknown>;
/** Each call, and the places without which its answer says nothing. */
const calls: readonly [name: string, call: Call, needed: readonly string[]][] = [
  [
    "key info",
    (game) => game.keyInfo(key),
    ["info", "info.user", "info.user.id", "info.access", "info.access.level"],
  ],
  ["a player", (game) => game.player(key, 1003, { stats: true }), ["profile", "profile.id"]],
  ["an own player", (game) => game.ownPlayer(key), ["profile", "profile.id"]],
  ["a faction", (game) => game.factionBasic(key), ["basic", "basic.id"]],
  ["members", (game) => game.factionMembers(key), ["members"]],
  ["positions", (game) => game.factionPositions(key), ["positions"]],
  ["attacks", (game) => game.factionAttacks(key, {}), ["attacks"]],
  ["own attacks", (game) => game.userAttacks(key, {}), ["attacks"]],
  [
    "a vault",
    (game) => game.factionBalance(key),
    ["balance", "balance.members", "basic", "basic.id"],
  ],
  [
    "crimes",
    (game) => game.factionCrimes(key, { category: "completed" }),
    ["crimes", "basic", "basic.id"],
  ],
  [
    "crimes with members",
    (game) => game.factionCrimesWithMembers(key),
    ["crimes", "members", "basic", "basic.id"],
  ],
  ["news", (game) => game.factionNews(key, {}), ["news", "basic", "basic.id"]],
  ["kinds of crime", (game) => game.organizedCrimeTypes(key), ["organizedcrimes"]],
  ["stocks", (game) => game.stocks(key), ["stocks"]],
  [
    "a stock",
    (game) => game.stockHistory(key, 1),
    ["stocks", "stocks.chart", "stocks.chart.history"],
  ],
  ["items", (game) => game.items(key), ["items"]],
  ["points", (game) => game.pointsPrice(key), ["pointsmarket"]],
];

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

async function recorded(call: Call): Promise<Json> {
  let body = "";
  const fetch = async (request: Request) => {
    const response = await simulator.fetch(request);
    body = await response.clone().text();
    return response;
  };
  await call(createGameClient({ baseUrl: simulator.baseUrl, fetch, now: simulator.now }));
  return JSON.parse(body) as Json;
}

const readBody = (body: unknown, call: Call) =>
  call(
    createGameClient({
      baseUrl: simulator.baseUrl,
      fetch: async () => Response.json(body),
      now: simulator.now,
    }),
  );

/** Every path in an answer; the second row represents a list. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  const inner = !isObject(value)
    ? []
    : Array.isArray(value)
      ? Object.entries(value).slice(1, 2)
      : Object.entries(value);
  return [
    ...(at.length > 0 ? [at] : []),
    ...inner.flatMap(([name, each]) => placesIn(each, [...at, name])),
  ];
}

/** The answer with one place changed; undefined leaves it out. */
function varied(
  value: unknown,
  [name = "", ...deeper]: readonly string[],
  change: (place: unknown) => unknown,
): unknown {
  const copy = Array.isArray(value) ? [...value] : { ...(value as Json) };
  const into = copy as Json;
  into[name] = deeper.length === 0 ? change(into[name]) : varied(into[name], deeper, change);
  return copy;
}

const variants: readonly [name: string, change: (place: unknown) => unknown][] = [
  ["null", () => null],
  ["left out", () => undefined],
  ["an empty list", (place) => (isObject(place) && !Array.isArray(place) ? [] : place)],
  [
    "one field more",
    (place) =>
      isObject(place) && !Array.isArray(place) ? { ...place, added: { by: "the game" } } : place,
  ],
];

test.each(calls)("%s: no variant of the document is refused whole", async (_, call, needed) => {
  const body = await recorded(call);
  const refused: string[] = [];
  for (const path of placesIn(body))
    for (const [name, change] of variants) {
      const place = path.join(".");
      if (needed.includes(place) && name !== "one field more") continue;
      await readBody(varied(body, path, change), call).catch(() =>
        refused.push(`${place}: ${name}`),
      );
    }
  expect(refused).toEqual([]);
});
