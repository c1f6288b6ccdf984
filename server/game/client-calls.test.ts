import { expect, test } from "vitest";
import { createGameClient, type GameClient } from "./client";
import { isGameCallError } from "./game-call-error";
import { type KeyPurpose, keyPurposes, selectionsFor } from "./selections";
import { newKeyUrl } from "./site-urls";

const key = "SecretSecret0123";
const at = (seconds: number) => new Date(seconds * 1_000);

/** What a call asks of the game, below the base URL and without the comment. */
async function asked(call: (game: GameClient) => Promise<unknown>): Promise<string[]> {
  const paths: string[] = [];
  const fetch = async (request: Request) => {
    const url = new URL(request.url);
    url.searchParams.delete("comment");
    paths.push(decodeURIComponent(`${url.pathname}${url.search}`).replace("/v2/", ""));
    return Response.json({ error: { code: 16 } });
  };
  const game = createGameClient({
    baseUrl: "https://game.invalid/v2",
    fetch,
    now: () => at(1_767_225_600),
  });
  await call(game).catch(() => {});
  return paths;
}

test.each<[string, (game: GameClient) => Promise<unknown>]>([
  [
    "user?selections=profile,discord,faction,personalstats&cat=popular&id=42",
    (game) => game.player(key, 42, { stats: true }),
  ],
  [
    "user?selections=profile,discord,faction,battlestats,personalstats&cat=popular",
    (game) => game.ownPlayer(key),
  ],
  [
    "user?selections=profile,discord,faction,personalstats&cat=popular",
    (game) => game.ownPlayer(key, { level: 2 }),
  ],
  ["user/attacks?limit=100&timestamp=1767225600", (game) => game.userAttacks(key, {})],
  [
    "faction/attacks?from=100&to=200&sort=ASC&limit=100&timestamp=1767225600",
    (game) => game.factionAttacks(key, { from: at(100), to: at(200.9), sort: "ASC" }),
  ],
  ["faction/positions?timestamp=1767225600", (game) => game.factionPositions(key)],
  ["faction?selections=balance,basic&timestamp=1767225600", (game) => game.factionBalance(key)],
  [
    "faction?selections=crimes,basic&cat=completed&limit=100&timestamp=1767225600",
    (game) => game.factionCrimes(key, { category: "completed" }),
  ],
  [
    "faction?selections=crimes,basic&cat=available&limit=100&offset=200&timestamp=1767225600",
    (game) => game.factionCrimes(key, { category: "available", offset: 200 }),
  ],
  [
    "faction?selections=crimes,members,basic&cat=available&limit=100&timestamp=1767225600",
    (game) => game.factionCrimesWithMembers(key),
  ],
  [
    "faction?selections=news,basic&cat=giveFunds&from=100&limit=100&sort=DESC&striptags=false&timestamp=1767225600",
    (game) => game.factionNews(key, { from: at(100) }),
  ],
  ["torn/stocks?timestamp=1767225600", (game) => game.stocks(key)],
  ["torn/items", (game) => game.items(key)],
  ["market/pointsmarket", (game) => game.pointsPrice(key)],
])("one call to %s", async (path, call) => {
  expect(await asked(call)).toEqual([path]);
});

/** `section/selection` of a path below the base URL. */
function selectionsIn(path: string): string[] {
  const { pathname, searchParams } = new URL(path, "https://game.invalid/");
  const [section = "", ...rest] = pathname.slice(1).split("/");
  const names = searchParams.get("selections")?.split(",") ?? rest.slice(-1);
  return names.map((name) => `${section}/${name}`);
}

test("a key from the sign-in page's links lists exactly what the client can ask for", async () => {
  const game = createGameClient({
    ...{ baseUrl: "https://game.invalid/v2", now: () => at(0) },
    fetch: async () => Response.json({}),
  });
  const page = { category: "available" };
  const paths = [];
  for (const name of Object.keys(game))
    for (const given of [[], [42, { stats: true }], [page], [undefined, { stats: true }]])
      paths.push(
        ...(await asked(async (client) => {
          const member: unknown = Reflect.get(client, name);
          if (typeof member === "function") await member(key, ...given);
        })),
      );
  const read = new Set(paths.flatMap(selectionsIn));
  // Any key may be asked what it is.
  read.delete("key/info");
  const purposes = Object.keys(keyPurposes) as KeyPurpose[];
  expect([...read].sort()).toEqual(selectionsFor({ purposes }).sort());
});

test("a new key's page is filled in with the selections by section, and in the demo there is none", () => {
  const selections = selectionsFor({ scopes: ["faction:banking"] });
  expect(newKeyUrl({ demo: "off" }, selections)).toBe(
    "https://www.torn.com/preferences.php#tab=api?step=addNewKey&title=Adjutant" +
      "&user=profile,discord,faction&faction=basic,members,positions,balance,news",
  );
  expect(newKeyUrl({ demo: "alive" }, selections)).toBeNull();
});

test.each([
  ["the game's code 27", { error: { code: 27, error: "Words" } }],
  ["a map of the old crimes", { crimes: { 8123: {} }, members: [], basic: { id: 7001 } }],
])(
  "%s is a faction that has not moved to the new crimes, and no fault of anybody",
  async (_, body) => {
    const fetch = async () => Response.json(body);
    const game = createGameClient({ baseUrl: "https://game.invalid/v2", fetch, now: () => at(0) });
    for (const call of [
      game.factionCrimes(key, { category: "available" }),
      game.factionCrimesWithMembers(key),
    ]) {
      const error = await call.catch((thrown: unknown) => thrown);
      expect(isGameCallError(error) && error.kind).toBe("not-migrated");
    }
  },
);
