import { createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { livedTime } from "#server/testing/lived-time";
import { recordedLog } from "#server/testing/recorded-log";
import { type CounterStore, createRedisLimiter } from "./redis-limiter";
import { createRedisStore } from "./tcp-store";

const now = () => new Date("2026-03-01T12:00:10Z");
const window = { policy: "holder", subject: "somebody", limit: 2 };

function puppet(): CounterStore & { mood: "good" | "silent" | "refusing"; asked: number } {
  const answer = async <Answer>(value: Answer): Promise<Answer> => {
    self.asked += 1;
    if (self.mood === "refusing")
      throw Object.assign(new Error("redis://secret@host"), { code: "ECONNREFUSED" });
    return self.mood === "silent" ? new Promise(() => {}) : value;
  };
  const self = {
    kind: "redis" as const,
    mood: "good" as "good" | "silent" | "refusing",
    asked: 0,
    count: () => answer([1]),
    close: async () => {},
  };
  return self;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

test.each(["silent", "refusing"] as const)(
  "a store that is %s is replaced by the process's counts at once, and used again when it is back (RE-30, RE-32)",
  async (mood) => {
    const store = puppet();
    const log = recordedLog();
    const limiter = createRedisLimiter({ store, now, log, timeout: 20, grace: 0, probeEvery: 10 });
    expect(limiter.status()).toEqual({ kind: "redis", shared: true });

    store.mood = mood;
    const started = livedTime();
    const states = [
      await limiter.take(window),
      await limiter.take(window),
      await limiter.take(window),
    ];
    expect(started()).toBeLessThan(200);
    expect(states.map((state) => state.allowed)).toEqual([true, true, false]);
    expect(await limiter.peek(window)).toMatchObject({ remaining: 0 });
    expect(limiter.status()).toEqual({ kind: "redis", shared: false });
    expect(log.lines.filter((line) => line.level === "warn")).toHaveLength(1);
    expect(JSON.stringify(log.lines)).not.toContain("secret");

    store.mood = "good";
    await until(() => limiter.status().shared);
    expect(await limiter.take({ ...window, subject: "another" })).toMatchObject({
      allowed: true,
      remaining: 1,
    });
    expect(await limiter.take(window)).toMatchObject({ allowed: false, remaining: 0 });
    expect(log.lines.at(-1)).toMatchObject({ level: "info" });
    await limiter.close();
  },
);

test("while the store is gone no call waits for it", async () => {
  const store = puppet();
  const limiter = createRedisLimiter({
    store,
    now,
    log: recordedLog(),
    timeout: 20,
    grace: 0,
    probeEvery: 60_000,
  });
  store.mood = "silent";
  await limiter.take(window);
  const { asked } = store;
  for (let at = 0; at < 100; at++) await limiter.take(window);
  expect(store.asked).toBe(asked);
  await limiter.close();
});

test("a TCP store whose server takes connections and says nothing does not hold anybody up", async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const store = createRedisStore({ url: `redis://127.0.0.1:${port}` });
  await store.ready(30);
  const limiter = createRedisLimiter({ store, now, log: recordedLog(), timeout: 20, grace: 0 });
  expect(await limiter.take(window)).toMatchObject({ allowed: true });
  expect(limiter.status().shared).toBe(false);
  await limiter.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test("a moment of silence is counted in the process and changes nothing else", async () => {
  const store = puppet();
  const limiter = createRedisLimiter({ store, now, log: recordedLog(), timeout: 20, grace: 50 });
  store.mood = "silent";
  expect(await limiter.take(window)).toMatchObject({ allowed: true });
  expect(limiter.status().shared).toBe(true);
  store.mood = "good";
  await limiter.take(window);
  store.mood = "silent";
  await limiter.take(window);
  expect(limiter.status().shared).toBe(true);
  for (let at = 0; at < 3; at++) await limiter.take(window);
  expect(limiter.status().shared).toBe(false);
  await limiter.close();
});

test("an answer that waits unread while the process is busy is in time", async () => {
  const store = puppet();
  const limiter = createRedisLimiter({ store, now, log: recordedLog(), timeout: 10, grace: 0 });
  const answered = new Promise((resolve) => setImmediate(() => resolve([1])));
  Object.assign(store, { count: () => answered });
  const taken = limiter.take(window);
  const end = performance.now() + 30;
  while (performance.now() < end);
  expect(await taken).toMatchObject({ allowed: true });
  expect(limiter.status().shared).toBe(true);
  await limiter.close();
});
