import { expect, test } from "vitest";
import { movableClock } from "#server/testing/movable-clock";
import { createTtlCache, singleFlight } from "./ttl-cache";

const start = new Date("2026-03-01T12:00:10Z");

function setUp(options: { most?: number; sizeOf?: (value: string) => number } = {}) {
  const clock = movableClock(start);
  const dropped: string[] = [];
  const cache = createTtlCache<string, string>({
    ...{ now: clock.now, ttl: 800, most: 2, onDrop: (key) => dropped.push(key), ...options },
  });
  return { clock, cache, dropped };
}

test("an entry is given until its time ends, and never after the clock was set back", () => {
  const { clock, cache, dropped } = setUp();
  cache.set("usual", "1");
  cache.set("named", "2", start.getTime() + 50_000);
  clock.advance(0.799);
  expect(cache.get("usual")).toBe("1");
  clock.advance(0.001);
  expect(cache.get("usual")).toBeUndefined();
  clock.advance(49);
  expect(cache.get("named")).toBe("2");
  clock.advance(0.2);
  expect(cache.get("named")).toBeUndefined();
  expect(dropped).toEqual(["usual", "named"]);
  cache.set("back", "3");
  clock.advance(-1);
  expect(cache.get("back")).toBeUndefined();
});

test("the least recently used entries go first, by number or by size", () => {
  const byNumber = setUp().cache;
  byNumber.set("a", "1");
  byNumber.set("b", "2");
  byNumber.get("a");
  byNumber.set("c", "3");
  expect([byNumber.get("a"), byNumber.get("b"), byNumber.get("c")]).toEqual(["1", undefined, "3"]);
  const bySize = setUp({ most: 5, sizeOf: (value) => value.length }).cache;
  bySize.set("a", "xx");
  bySize.set("b", "xx");
  bySize.set("c", "xxxx");
  expect([...bySize.entries()]).toEqual([["c", "xxxx"]]);
});

test("concurrent reads share one, whose value ages from its beginning", async () => {
  const { clock, cache } = setUp();
  const reading = Promise.withResolvers<string>();
  let reads = 0;
  const read = () => {
    reads += 1;
    return reading.promise;
  };
  const both = Promise.all([cache.load("key", read), cache.load("key", read)]);
  clock.advance(0.7);
  reading.resolve("value");
  expect(await both).toEqual(["value", "value"]);
  expect([await cache.load("key", read), reads]).toEqual(["value", 1]);
  clock.advance(0.1);
  expect([await cache.load("key", read), reads]).toEqual(["value", 2]);
});

test("a failure is shared and not kept, nor is a value that is not to be kept", async () => {
  const { cache } = setUp();
  const failing = () => Promise.reject(new Error("down"));
  const both = [cache.load("key", failing), cache.load("key", failing)];
  for (const each of both) await expect(each).rejects.toThrow("down");
  expect(await cache.load("key", async () => undefined)).toBeUndefined();
  expect(
    await cache.load(
      "key",
      async () => "odd",
      () => false,
    ),
  ).toBe("odd");
  expect(cache.get("key")).toBeUndefined();
});

test("concurrent calls share a run, and the next call after its end begins a new one", async () => {
  const runs: PromiseWithResolvers<number>[] = [];
  const run = singleFlight(() => {
    const next = Promise.withResolvers<number>();
    runs.push(next);
    return next.promise;
  });
  const both = Promise.all([run(), run()]);
  runs[0]?.resolve(1);
  expect(await both).toEqual([1, 1]);
  const next = run();
  runs[1]?.resolve(2);
  expect(await next).toBe(2);
});
