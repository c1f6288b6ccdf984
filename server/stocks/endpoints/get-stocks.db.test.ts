import { expect, test } from "vitest";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { recordTick } from "../read-tick";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const call = callAs(ctx, {});
const { key } = await enrol(ctx, "member");
const seen = await ctx.game.stocks(key);
const minuteNow = () => new Date(Math.floor(clock.now().getTime() / 60_000) * 60_000);
const tick = (price: number) =>
  recordTick(ctx, { at: minuteNow(), seen: seen.map((stock) => ({ ...stock, price })) });

test("before the first tick the map is empty, and nobody may keep that answer", async () => {
  const { status, text, headers } = await call("/stocks");
  expect({ status, text }).toEqual({ status: 200, text: "{}" });
  expect(headers.get("cache-control")).toBe("no-store");
});

test("the answer is a map keyed by id with exact integers, and holds until the next tick", async () => {
  await recordTick(ctx, {
    at: minuteNow(),
    seen: seen.map((stock) => ({ ...stock, price: 1_234.5, marketCap: Number.MAX_SAFE_INTEGER })),
  });
  const { text, json, headers } = await call("/stocks");
  expect(Object.keys(json as object)).toEqual(seen.map(({ stockId }) => String(stockId)));
  expect(text).toContain(
    '"1":{"timestamp":1772366400,"price":1234.5,"market_cap":9007199254740991,"shares":1400000000,',
  );
  // It is 12:00:10, and the next tick is read at 12:01:05.
  expect(headers.get("cache-control")).toBe("private, max-age=55");
  clock.advance(20);
  expect((await call("/stocks")).headers.get("cache-control")).toBe("private, max-age=35");
});

test("within a minute the answer is said from memory; at the next tick it is read again", async () => {
  const { text } = await call("/stocks");
  await database.script("update stocks set price = 1");
  expect((await call("/stocks")).text).toBe(text);
  clock.advance(35);
  await tick(2);
  expect((await call("/stocks")).text).toContain('"price":2,');
});

test("who has the newest tick already is told so in a 304 with its tag, until there is another", async () => {
  const { headers } = await call("/stocks");
  const tag = headers.get("etag") ?? "";
  const again = await call("/stocks", { "if-none-match": tag });
  expect(again).toMatchObject({ status: 304, text: "" });
  expect(again.headers.get("etag")).toBe(tag);
  expect(again.headers.get("x-ratelimit-limit")).not.toBeNull();
  clock.advance(60);
  await tick(3);
  expect(await call("/stocks", { "if-none-match": tag })).toMatchObject({ status: 200 });
});

test("while a tick is late the answer is kept for a second at most, and the late tick shows at once", async () => {
  clock.advance(60);
  const late = await call("/stocks");
  expect(late.headers.get("cache-control")).toBe("private, max-age=1");
  expect(late.text).toContain('"price":3,');
  await tick(4);
  clock.advance(1);
  expect((await call("/stocks")).text).toContain('"price":4,');
});

test.each([
  "?__proto__=1&constructor.prototype=x",
  "?limit=1&limit=100&limit[]=1",
  "?%00=x",
  "?id=999999999999999999999",
  `?x=${"y".repeat(4_000)}`,
])("FZ-07: parameters that nobody declared change nothing: %.40s", async (search) => {
  const plain = await call("/stocks");
  for (const path of ["/stocks", "/stocks/movers", "/stocks/benefits"])
    expect([path, (await call(`${path}${search}`)).status]).toEqual([path, 200]);
  expect((await call(`/stocks${search}`)).text).toBe(plain.text);
});

test.each(["/stocks/", "/Stocks", "/stocks/1", "/stocks/movers/d1", "/stocks/benefit", "//stocks"])(
  "%s is no endpoint",
  async (path) => {
    expect(await call(path)).toMatchObject({ status: 404, json: { code: 4010 } });
  },
);
