import { expect, test } from "vitest";
import { createSimulator } from "#simulator/simulator";
import { createGameClient, type GameClient } from "./client";
import type { Rows } from "./contract/rows";

/*
 * Answers of the simulated game with one row of a list made odd in every field of it: whatever the game writes into a row, all the
 * others are read.
 */
const simulator = createSimulator({
  seed: 7,
  epoch: new Date("2026-03-01T12:00:00Z"),
  world: "small",
});
const key = simulator.demoKeys.developer;

type Call = (game: GameClient) => Promise<unknown>;
const lists: readonly [field: string, call: Call, within?: string][] = [
  ["members", (game) => game.factionMembers(key)],
  ["positions", (game) => game.factionPositions(key)],
  ["members", (game) => game.factionBalance(key).then(({ members }) => members), "balance"],
  ["attacks", (game) => game.factionAttacks(key, {})],
  ["attacks", (game) => game.userAttacks(key, {})],
  ["crimes", (game) => game.factionCrimesWithMembers(key).then(({ crimes }) => crimes)],
  [
    "crimes",
    (game) => game.factionCrimes(key, { category: "completed" }).then(({ crimes }) => crimes),
  ],
  ["news", (game) => game.factionNews(key, {}).then(({ news }) => news)],
  ["organizedcrimes", (game) => game.organizedCrimeTypes(key)],
  ["stocks", (game) => game.stocks(key)],
  ["items", (game) => game.items(key)],
];

/** What the simulated game answers to a call, as JSON. */
async function recorded(call: Call): Promise<Record<string, unknown>> {
  let body = "";
  const fetch = async (request: Request) => {
    const response = await simulator.fetch(request);
    body = await response.clone().text();
    return response;
  };
  await call(createGameClient({ baseUrl: simulator.baseUrl, fetch, now: simulator.now }));
  return JSON.parse(body) as Record<string, unknown>;
}

const readBody = (body: unknown, call: Call) =>
  call(
    createGameClient({
      baseUrl: simulator.baseUrl,
      fetch: async () => Response.json(body),
      now: simulator.now,
    }),
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Every path in a row, itself included; the first entry represents a nested list. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  const inner = isObject(value)
    ? Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined)
    : [];
  return [at, ...inner.flatMap(([name, each]) => placesIn(each, [...at, name]))];
}

const missing = Symbol("missing");
const oddities: readonly unknown[] = [
  null,
  missing,
  "Something New",
  "",
  0,
  -1,
  9e15,
  1e300,
  0.5,
  true,
  [],
  {},
  ["x"],
];

/** A copy with something else in one place. */
function withOdd(value: unknown, [name, ...deeper]: readonly string[], odd: unknown): unknown {
  if (name === undefined) return odd === missing ? undefined : odd;
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === name ? withOdd(each, deeper, odd) : each));
  const { [name]: inner, ...others } = value as Record<string, unknown>;
  return odd === missing && deeper.length === 0
    ? others
    : { ...others, [name]: withOdd(inner, deeper, odd) };
}

test.each(lists)(
  "an odd row of %s costs no other: %s",
  { timeout: 60_000 },
  async (field, call, within) => {
    const body: Record<string, unknown> = { members: [], ...(await recorded(call)) };
    const listIn = (within === undefined ? body : body[within]) as Record<string, unknown>;
    const withRows = (rows: unknown) =>
      within === undefined
        ? { ...body, [field]: rows }
        : { ...body, [within]: { ...listIn, [field]: rows } };
    const rows = (listIn[field] as unknown[]).slice(0, 3);
    expect(rows.length).toBeGreaterThan(1);
    const all = (await readBody(withRows(rows), call)) as Rows<unknown>;
    expect(all).toHaveLength(rows.length);
    expect(all.unreadable).toBeUndefined();

    const place = 1;
    const others = all.filter((_, index) => index !== place);
    let lost = 0;
    for (const path of placesIn(rows[place]))
      for (const odd of oddities) {
        const odder = rows.map((row, index) =>
          index === place ? (withOdd(row, path, odd) ?? null) : row,
        );
        const read = (await readBody(withRows(odder), call)) as Rows<unknown>;
        const what = `${field}[${place}].${path.join(".")} as ${String(JSON.stringify(odd) ?? "nothing")}`;
        const rest =
          read.length === rows.length ? read.filter((_, index) => index !== place) : [...read];
        expect(rest, what).toEqual(others);
        expect(read.unreadable?.rows ?? 0, what).toBe(rows.length - read.length);
        lost += rows.length - read.length;
      }
    expect(lost).toBeGreaterThan(0);
  },
);

/** What the game may leave open or add in rows that rights or money hang on. */
const members = (game: GameClient) => game.factionMembers(key);
const player = (game: GameClient) => game.player(key, 1003);
test.each<[string, Call, readonly string[], readonly unknown[]]>([
  ["a member's level", members, ["members", "3", "level"], [null, missing]],
  ["a member's name", members, ["members", "3", "name"], ["", null, missing]],
  ["a member's state", members, ["members", "3", "status", "state"], ["Dreaming"]],
  ["a member's presence", members, ["members", "3", "last_action", "status"], ["Hovering"]],
  [
    "a member's revive setting",
    members,
    ["members", "3", "revive_setting"],
    ["Aliens only", null, missing],
  ],
  [
    "a position's abilities",
    (game) => game.factionPositions(key),
    ["positions", "0", "abilities", "0"],
    ["Kite Flying"],
  ],
  [
    "a balance's name",
    (game) => game.factionBalance(key),
    ["balance", "members", "2", "username"],
    ["", null],
  ],
  ["a player's level", player, ["profile", "level"], [null, missing]],
  ["a player's name", player, ["profile", "name"], ["", null]],
  ["a player's role", player, ["profile", "role"], ["Archivist"]],
  ["a player's chat id", player, ["discord", "discord_id"], ["", null, missing]],
  ["a faction's name", player, ["faction", "name"], ["", null]],
  ["a faction's own name", (game) => game.factionBasic(key), ["basic", "name"], ["", null]],
])("%s may be open or new", async (_, call, path, values) => {
  const body = await recorded(call);
  for (const odd of values)
    await expect(readBody(withOdd(body, path, odd), call)).resolves.toBeDefined();
});
