import { expect, test } from "vitest";
import { gameEpoch, gameOverFetch } from "#server/testing/game-over-fetch";

const seconds = Math.floor(gameEpoch.getTime() / 1000);
const code = (number: number) => ({ error: { code: number, error: expect.any(String) } });
interface Row {
  id: number;
  username: string;
  money: number;
  points: number;
}
const rowOf = (answer: { balance: { members: Row[] } }, id: number) =>
  answer.balance.members.find((row) => row.id === id);

test("every member has a balance that is never below nothing, and the vault covers them all", async () => {
  const { get } = gameOverFetch();
  const { balance } = await get("faction/balance");
  const sum = balance.members.reduce((total: number, { money }: Row) => total + money, 0);
  expect(balance.faction.money).toBeGreaterThan(sum);
  for (const { money, points } of balance.members)
    expect(Math.min(money, points)).toBeGreaterThanOrEqual(0);
  expect(rowOf(await get("faction/balance"), 1003)).toEqual({
    id: 1003,
    username: "Cleo_Marsh",
    money: 7_350_000,
    points: 420,
  });
});

test("what is given leaves the balance and stands in the news in the game's own words", async () => {
  const { get, control } = gameOverFetch();
  const { newsId } = control.giveFunds({ factionId: 7001, by: 1002, to: 1003, money: 1_234_567 });
  control.advance({ seconds: 5 });
  const other = control.giveFunds({ factionId: 7001, by: 1001, to: 1003, points: 20 });
  expect(rowOf(await get("faction/balance"), 1003)).toMatchObject({
    money: 7_350_000 - 1_234_567,
    points: 400,
  });
  const { news } = await get(`faction/news?cat=giveFunds&from=${seconds - 1}`);
  const link = (id: number, name: string) =>
    `<a href = "http://game.invalid/profiles.php?XID=${id}">${name}</a>`;
  const [cleo, bruno, ada] = [
    link(1003, "Cleo_Marsh"),
    link(1002, "Bruno_Vault"),
    link(1001, "Ada_Quill"),
  ];
  expect(news.filter(({ text }: { text: string }) => text.includes("XID=1003"))).toEqual([
    { id: other.newsId, text: `${cleo} was given 20 points by ${ada}`, timestamp: seconds + 5 },
    { id: newsId, text: `${cleo} was given $1,234,567 by ${bruno}`, timestamp: seconds },
  ]);
});

test("a gift that the balance does not cover changes nothing", async () => {
  const { get, control } = gameOverFetch();
  const give = (amount: number) =>
    control.giveFunds({ factionId: 7001, by: 1002, to: 1003, points: amount });
  expect(() => give(421)).toThrow("does not cover");
  give(420);
  expect(() => give(1)).toThrow("does not cover");
  expect(rowOf(await get("faction/balance"), 1003)?.points).toBe(0);
});

test("a balance that a verb has set stays until the next verb", async () => {
  const { get, control } = gameOverFetch();
  const { id } = (await get("faction/balance")).balance.members[4];
  control.setBalance({ factionId: 7001, playerId: id, money: 5, points: 6 });
  for (let day = 0; day < 9; day++) {
    control.advance({ seconds: 86_400 });
    expect(rowOf(await get("faction/balance"), id)).toMatchObject({ money: 5, points: 6 });
  }
});

test("news are read page by page, and no row is lost at the edges", async () => {
  const { get } = gameOverFetch();
  const whole = (await get("faction/news?cat=giveFunds&limit=100")).news.map(
    ({ id }: { id: string }) => id,
  );
  const ids = new Set<string>();
  let next: string | null = "faction/news?cat=giveFunds&limit=9";
  while (next) {
    const page: { news: { id: string }[]; _metadata: { links: { next: string | null } } } =
      await get(next);
    for (const { id } of page.news) ids.add(id);
    next = page._metadata.links.next;
    expect(next ?? "").not.toContain("key=");
  }
  expect([...ids].slice(0, 100)).toEqual(whole);
});

test("news of given funds and balances need faction access and a limited key", async () => {
  const { get, control, keys } = gameOverFetch();
  const minimal = control.createKey({ playerId: 1002, level: 2 }).key;
  expect(await get("faction/news?cat=giveFunds", keys.member)).toEqual(code(7));
  expect(await get("faction/news?cat=giveFunds", minimal)).toEqual(code(16));
  expect(await get("faction/news")).toEqual(code(21));
  expect(await get("faction/balance", keys.member)).toEqual(code(7));
  expect(await get("faction/balance", minimal)).toEqual(code(16));
  expect(await get("faction/7001/balance")).toEqual(code(7));
});
