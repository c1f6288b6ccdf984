import { expect, test } from "vitest";
import { gameEpoch, gameOverFetch } from "#server/testing/game-over-fetch";
import { createSimulator } from "./simulator";

const seconds = Math.floor(gameEpoch.getTime() / 1000);
interface Row {
  readonly code: string;
  readonly started: number;
  readonly ended: number | null;
  readonly attacker: { readonly faction: { readonly id: number } | null } | null;
  readonly defender: { readonly faction: { readonly id: number } | null };
}
const codes = (rows: Row[]) => rows.map(({ code }) => code);

test("a change says how the game behaves now, and leaves the rest", () => {
  const { control } = gameOverFetch();
  expect(control.setBehaviour({ attacksBy: "started" })).toMatchObject({
    attacksBy: "started",
    fromIncluded: false,
  });
  expect(control.setBehaviour({ fromIncluded: true })).toMatchObject({
    attacksBy: "started",
    fromIncluded: true,
  });
});

test("attacks are bounded and sorted by their beginnings, where the game is said to do so", async () => {
  const { get, control } = gameOverFetch();
  control.setBehaviour({ attacksBy: "started" });
  const from = seconds - 40_000;
  const path = `faction/attacks?sort=ASC&from=${from}`;
  const { attacks }: { attacks: Row[] } = await get(path);
  const times = attacks.map(({ started }) => started);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(Math.min(...times)).toBeGreaterThan(from);
  const first = attacks[0];
  const rest = await get(`faction/attacks?sort=ASC&from=${first?.started}`);
  expect(codes(rest.attacks)).not.toContain(first?.code);
});

test("a fight that goes on has no end and no result, where the game is said to list it", async () => {
  const { get, control } = gameOverFetch();
  control.setBehaviour({ unfinishedFights: true });
  let open: Row[] = [];
  for (let hour = 0; hour < 60 && open.length === 0; hour++) {
    control.advance({ seconds: 613 });
    open = (await get("faction/attacks?limit=5")).attacks.filter(
      ({ ended }: Row) => ended === null,
    );
  }
  expect(open[0]).toMatchObject({ ended: null, result: "None", respect_gain: 0 });
  control.advance({ seconds: 301 });
  const later = (await get("faction/attacks")).attacks.find(
    ({ code }: Row) => code === open[0]?.code,
  );
  expect(later.ended).toBeGreaterThan(open[0]?.started ?? 0);
});

test("a foreign row in a faction's attacks names no faction", async () => {
  const { get, control } = gameOverFetch();
  const plain = await get("faction/attacks?limit=5");
  control.setBehaviour({ foreignAttacks: true });
  const rows: Row[] = (await get("faction/attacks?limit=5")).attacks;
  expect(rows).toHaveLength(plain.attacks.length + 1);
  const named = rows.map(({ attacker, defender }) => attacker?.faction ?? defender.faction);
  expect(named.filter((faction) => faction === null)).toHaveLength(1);
});

test("slots tell their number by the label alone, where it is said to have gone", async () => {
  const { get, control } = gameOverFetch();
  const infos = async () =>
    (await get("torn/organizedcrimes")).organizedcrimes.at(0).slots.map(infoOf);
  const infoOf = (slot: { position_info: object }) => slot.position_info;
  expect((await infos())[2]).toEqual({ id: "P3", label: "Rider #2", number: 2 });
  control.setBehaviour({ slotNumbers: false });
  expect((await infos())[2]).toEqual({ id: "P3", label: "Rider #2" });
  const { crimes } = await get("faction/crimes?cat=available");
  expect(crimes[0].slots[0].position_info).not.toHaveProperty("number");
});

test("one kind of crime has a slot whose name is no text", async () => {
  const { get } = gameOverFetch();
  const names = (await get("torn/organizedcrimes")).organizedcrimes.flatMap(
    ({ slots }: { slots: { name: unknown }[] }) => slots.map(({ name }) => name),
  );
  expect(names.filter((name: unknown) => typeof name !== "string")).toHaveLength(1);
});

test("a blind memory gives one page for another, unless a timestamp asks past it", async () => {
  const { get, control } = gameOverFetch();
  control.setBehaviour({ blindMemory: true });
  const first = codes((await get("faction/attacks?limit=5")).attacks);
  const other = `faction/attacks?limit=5&sort=ASC&from=${seconds - 80_000}`;
  expect(codes((await get(other)).attacks)).toEqual(first);
  expect(codes((await get(`${other}&timestamp=${seconds}`)).attacks)).not.toEqual(first);
  expect((await get("faction/basic")).basic).toBeDefined();
});

test("the news of given funds also tell of paydays and of additions to balances, with the game's own links", async () => {
  const { get, control, keys } = gameOverFetch();
  control.advance({ seconds: 10 * 86_400 });
  const { news } = await get("faction/news?cat=giveFunds&limit=100", keys.banker);
  const texts: string[] = news.map(({ text }: { text: string }) => text);
  expect(texts).toContainEqual(
    expect.stringMatching(/was paid \$[\d,]+ for a total of \$[\d,]+ from the faction by /),
  );
  expect(texts).toContainEqual(expect.stringMatching(/ added \$[\d,]+ to the balance of /));
  for (const text of texts) expect(text).toMatch(/<a href = "http:\/\/[^"]+XID=[0-9]+">/);
});

test.each([
  ["none", undefined, 403],
  ["a library's own", "node", 403],
  ["a library's own with a version", "undici/7.1", 403],
  ["a name of its own", "adjutant/1.0 (+https://adjutant.test)", 200],
])(
  "a user agent that is %s is answered %s with %i, where agents are wanted",
  async (_, agent, status) => {
    const simulator = createSimulator({ seed: 7, epoch: gameEpoch, world: "small" });
    simulator.control.setBehaviour({ agentsWanted: true });
    const headers = {
      authorization: `ApiKey ${simulator.demoKeys.developer}`,
      ...(agent && { "user-agent": agent }),
    };
    expect(
      (await simulator.fetch(new Request(`${simulator.baseUrl}/key/info`, { headers }))).status,
    ).toBe(status);
  },
);
