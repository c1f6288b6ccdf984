import { expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { recordTick } from "../read-tick";
import { refreshPricesJob } from "../refresh-prices";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const { key } = await enrol(ctx, "member");
await database.query.update(accounts).set({ lendsKey: true });

interface Row {
  stock_id: number;
  benefit: {
    requirement: number;
    frequency: number | null;
    description: string;
    item: { tid: number; name: string; description: string } | null;
    value: number | null;
  };
}
type Benefits = Record<"active" | "passive" | "non_rev", Row[]>;
const call = callAs(ctx, {});
const benefits = async () => (await call("/stocks/benefits")).json as Benefits;
const minuteNow = () => new Date(Math.floor(clock.now().getTime() / 60_000) * 60_000);
const named = (rows: readonly Row[], description: string) => {
  const row = rows.find(({ benefit }) => benefit.description === description);
  if (!row) throw new Error(`Nothing pays ${description}.`);
  return row.benefit;
};

test("before the first tick there are none, and nobody may keep that answer", async () => {
  const { status, json, headers } = await call("/stocks/benefits");
  expect({ status, json }).toEqual({ status: 200, json: { active: [], passive: [], non_rev: [] } });
  expect(headers.get("cache-control")).toBe("no-store");
});

test("before prices were read values are missing, and the answer is kept for a minute alone", async () => {
  await recordTick(ctx, { at: minuteNow(), seen: await ctx.game.stocks(key) });
  const { json, headers } = await call("/stocks/benefits");
  expect(headers.get("cache-control")).toBe("private, max-age=60");
  expect(named((json as Benefits).active, "100 points").value).toBeNull();
  expect(named((json as Benefits).active, "$50,000,000").value).toBe(50_000_000);
});

test("each benefit is in the list of its kind, and its value is that of one payment", async () => {
  expect(
    await refreshPricesJob.run(ctx, { budget: 2, signal: new AbortController().signal }),
  ).toEqual({
    items: 120,
    points: 1,
    withoutKey: 0,
  });
  clock.advance(60);
  const { active, passive, non_rev } = await benefits();
  expect([active.length, passive.length, non_rev.length]).toEqual([20, 12, 3]);
  const items = new Map((await ctx.game.items(key)).map((item) => [item.name, item]));
  const point = (await ctx.game.pointsPrice(key)) ?? Number.NaN;

  const hamper = items.get("Picnic Hamper");
  expect(named(active, "1x Picnic Hamper")).toEqual({
    requirement: 500_000,
    frequency: 7,
    description: "1x Picnic Hamper",
    item: { tid: hamper?.itemId, name: "Picnic Hamper", description: hamper?.description },
    value: hamper?.marketPrice,
  });
  expect(named(active, "100 points")).toMatchObject({ item: null, value: 100 * point });
  expect(named(non_rev, "100 energy")).toMatchObject({ item: null, value: null, frequency: 7 });
  for (const { benefit } of passive)
    expect(benefit).toMatchObject({ frequency: null, item: null, value: null });
});

test("§7 row 63: the quantity of an item counts", async () => {
  const stout = (await ctx.game.items(key)).find(({ name }) => name === "Harbour Stout");
  expect(named((await benefits()).active, "6x Harbour Stout").value).toBe(
    6 * (stout?.marketPrice ?? Number.NaN),
  );
});

test("§7 row 63: points are points in whatever case", async () => {
  const point = (await ctx.game.pointsPrice(key)) ?? Number.NaN;
  expect(named((await benefits()).active, "50 Points").value).toBe(50 * point);
});

test("§7 row 63: ids are integers in every list, in order", async () => {
  for (const list of Object.values(await benefits())) {
    const ids = list.map(({ stock_id }) => stock_id);
    expect(ids.every(Number.isInteger)).toBe(true);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  }
});

test("§7 row 63: nobody's key is asked for, so that a caller without one is answered as well", async () => {
  await database.query.delete(accounts);
  clock.advance(86_400);
  const { status, json } = await call("/stocks/benefits");
  expect(status).toBe(200);
  expect((json as Benefits).active).toHaveLength(20);
});

test("an item that nobody offers is listed without a value", async () => {
  expect(named((await benefits()).active, "1x Unreleased Reel")).toMatchObject({
    item: { name: "Unreleased Reel" },
    value: null,
  });
});

test("what the game does not list as an item is no item", async () => {
  const [first, ...rest] = await ctx.game.stocks(demoKey());
  if (!first) throw new Error("There are no stocks.");
  const odd = { ...first, bonus: { ...first.bonus, description: "1x Random Surprise" } };
  clock.advance(86_400);
  await recordTick(ctx, { at: minuteNow(), seen: [odd, ...rest] });
  const { non_rev } = await benefits();
  expect(named(non_rev, "1x Random Surprise")).toMatchObject({ item: null, value: null });
});

test.each(["1x Random Property", "A random property", "1x Clothing Cache"])(
  "“%s” can be sold, so that its benefit is active although it is no listed item",
  async (description) => {
    const [first, ...rest] = await ctx.game.stocks(demoKey());
    if (!first) throw new Error("There are no stocks.");
    const odd = { ...first, bonus: { ...first.bonus, description } };
    clock.advance(86_400);
    await recordTick(ctx, { at: minuteNow(), seen: [odd, ...rest] });
    expect(named((await benefits()).active, description)).toMatchObject({
      item: null,
      value: null,
      frequency: 31,
    });
  },
);

test("the answer is kept for a day, and is tagged", async () => {
  const { headers } = await call("/stocks/benefits");
  expect(headers.get("cache-control")).toBe("private, max-age=86400");
  const again = await call("/stocks/benefits", { "if-none-match": headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
});

const demoKey = () => simulator.demoKeys.loner;
