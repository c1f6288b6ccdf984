import { describe, expect, test } from "vitest";
import type { Revocation } from "#server/context";
import { movableClock } from "#server/testing/movable-clock";
import { createLivenessCache, type RevocationSubject } from "./authenticate";

const subject: RevocationSubject = {
  ...{ grantId: "g", consentId: "c", clientId: "a", accountId: "p", playerId: 7 },
};

/** A cache over a source with counted and controllable answers. */
function setUp(options: { expiresAt?: Date; pending?: Revocation[] } = {}) {
  const clock = movableClock(new Date("2026-03-01T12:00:00Z"));
  const cache = createLivenessCache<string>(clock.now, () => options.pending ?? []);
  let asked = 0;
  const found = () => ({
    value: `answer ${++asked}`,
    subject,
    expiresAt: options.expiresAt ?? null,
  });
  const get = (key = "key") => cache.get(key, async () => found());
  return { clock, cache, get, found };
}

test("an answer is given again for 800 ms", async () => {
  const { clock, get } = setUp();
  expect(await get()).toBe("answer 1");
  clock.advance(0.799);
  expect(await get()).toBe("answer 1");
  clock.advance(0.001);
  expect(await get()).toBe("answer 2");
});

test("the 800 ms count from the start of the query, not from its end", async () => {
  const { clock, cache, get, found } = setUp();
  const query = Promise.withResolvers<void>();
  const answer = cache.get("key", () => query.promise.then(found));
  clock.advance(0.7);
  query.resolve();
  await answer;
  clock.advance(0.1);
  expect(await get()).toBe("answer 2");
});

test("an answer ends with what it is about, and when the clock is set back", async () => {
  const start = new Date("2026-03-01T12:00:00Z").getTime();
  const { clock, get } = setUp({ expiresAt: new Date(start + 100) });
  await get();
  clock.advance(0.1);
  expect(await get()).toBe("answer 2");
  const back = setUp();
  await back.get();
  back.clock.advance(-3_600);
  expect(await back.get()).toBe("answer 2");
});

describe("a revocation", () => {
  test.each([
    ...[{ grantId: "g" }, { consentId: "c" }, { clientId: "a" }, { accountId: "p" }],
    { playerId: 7 },
  ])("of %j is felt at once, by each of its answers", async (revocation) => {
    const { cache, get } = setUp();
    await get();
    await get("other key");
    cache.forget(revocation);
    expect([await get(), await get("other key")]).toEqual(["answer 3", "answer 4"]);
  });

  test("of somebody else changes nothing", async () => {
    const { cache, get } = setUp();
    await get();
    for (const other of [
      { grantId: "x" },
      { consentId: "g" },
      { clientId: "c" },
      { accountId: "a" },
      { playerId: 8 },
    ])
      cache.forget(other);
    expect(await get()).toBe("answer 1");
  });

  test.each([
    (cache: ReturnType<typeof setUp>["cache"]) => cache.forget({ grantId: "g" }),
    (cache: ReturnType<typeof setUp>["cache"]) => cache.clear(),
  ])("that comes during a query keeps its answer from being remembered", async (revoke) => {
    const { cache, get, found } = setUp();
    const query = Promise.withResolvers<void>();
    const answer = cache.get("key", () => query.promise.then(found));
    revoke(cache);
    query.resolve();
    expect(await answer).toBe("answer 1");
    expect(await get()).toBe("answer 2");
  });

  test("that is announced, but not in the database yet, keeps answers from being remembered", async () => {
    const pending: Revocation[] = [{ grantId: "g" }];
    const { get } = setUp({ pending });
    expect([await get(), await get()]).toEqual(["answer 1", "answer 2"]);
    pending.pop();
    expect([await get(), await get()]).toEqual(["answer 3", "answer 3"]);
  });
});

test("nothing found is never remembered, and a failed query leaves nothing behind", async () => {
  const { cache, get } = setUp();
  expect(await cache.get("key", async () => undefined)).toBeUndefined();
  await expect(cache.get("key", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await get()).toBe("answer 1");
});

test("clearing forgets all", async () => {
  const { cache, get } = setUp();
  await get();
  cache.clear();
  expect(await get()).toBe("answer 2");
});
