import { rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import {
  type KillableRedis,
  killableRedis,
  redisServerIsHere,
} from "#server/testing/killable-redis";
import { livedTime } from "#server/testing/lived-time";
import { type RecordedLog, recordedLog } from "#server/testing/recorded-log";
import { type Limiter, type LimitState, type LimitWindow, minuteOf } from "./limiter";
import { createRedisLimiter } from "./redis-limiter";
import { createRedisStore } from "./tcp-store";

/** The minute does not end under a test; Redis expires keys by its own clock. */
const instant = new Date("2026-03-01T12:00:10Z");
const now = () => instant;
/** Milliseconds; ten times as often as in production. */
const probeEvery = 100;
const window: LimitWindow = { policy: "holder", subject: "somebody", limit: 250 };
const keyOf = ({ policy, subject }: LimitWindow) =>
  `{adjutant}:${policy}:${subject}:${minuteOf(instant)}`;

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0).reverse()) await close();
});

async function redisWith(...settings: string[]): Promise<KillableRedis> {
  const redis = await killableRedis(...settings);
  opened.push({ close: redis.remove });
  return redis;
}

async function limiterOn(url: string): Promise<Limiter & { readonly log: RecordedLog }> {
  const log = recordedLog();
  const store = createRedisStore({ url });
  await store.ready(2_000);
  const limiter = createRedisLimiter({ store, now, log, probeEvery });
  opened.push(limiter);
  return { ...limiter, log };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

const takeAll = (limiter: Limiter, windows: readonly LimitWindow[]) =>
  Promise.all(windows.map((each) => limiter.take(each)));
const windows = (count: number, limit = 250) =>
  Array.from({ length: count }, (_, at) => ({ ...window, subject: `somebody ${at}`, limit }));
const passed = (states: readonly LimitState[]) => states.filter(({ allowed }) => allowed).length;

describe.skipIf(!redisServerIsHere())("a Redis in trouble", () => {
  test("one turn charges, looks and gives back in the order of its calls, also for one window", async () => {
    const limiter = await limiterOn((await redisWith()).url);
    const narrow = { ...window, limit: 2 };
    const [first, seen, second, , third, fourth, last] = await Promise.all([
      limiter.take(narrow),
      limiter.peek(narrow),
      limiter.take(narrow),
      limiter.giveBack(narrow, instant),
      limiter.take(narrow),
      limiter.take(narrow),
      limiter.peek(narrow),
    ]);
    expect(
      [first, seen, second, third, fourth, last].map((state) => [state.allowed, state.remaining]),
    ).toEqual([
      [true, 1],
      [true, 1],
      [true, 0],
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
  });

  test("a turn with more calls than one script takes counts each once, and forgotten scripts change nothing", async () => {
    const { url, admin } = await redisWith();
    const limiter = await limiterOn(url);
    const wide = { ...window, limit: 700 };
    const flushed = Array.from({ length: 20 }, async (_, round) => {
      await new Promise((resolve) => setTimeout(resolve, round));
      await admin.script("FLUSH");
    });
    const rounds = Array.from({ length: 5 }, async (_, round) => {
      await new Promise((resolve) => setTimeout(resolve, round * 4));
      return takeAll(limiter, [...Array.from({ length: 201 }, () => wide), ...windows(201, 1_000)]);
    });
    const states = (await Promise.all(rounds)).flat();
    await Promise.all(flushed);
    expect(passed(states.filter(({ limit }) => limit === 700))).toBe(700);
    expect([
      await admin.get(keyOf(wide)),
      await admin.get(keyOf({ ...window, subject: "somebody 7" })),
    ]).toEqual(["700", "5"]);
    expect(await admin.ttl(keyOf(wide))).toBeGreaterThan(80);
    expect(limiter.log.lines).toEqual([]);
  });

  test.each([
    ["is full and evicts nothing", "OOM", ["CONFIG", "SET", "maxmemory", "1"]],
    ["became a replica", "READONLY", ["REPLICAOF", "127.0.0.1", "1"]],
    ["misses its replicas", "NOREPLICAS", ["CONFIG", "SET", "min-replicas-to-write", "1"]],
    ["lets us run no script", "NOPERM", ["ACL", "SETUSER", "default", "-evalsha"]],
  ])(
    "a Redis that answers but %s is lost until it counts again, and told once with its reason",
    async (_name, reason, trouble) => {
      const { url, admin } = await redisWith();
      const limiter = await limiterOn(url);
      await limiter.take(window);
      await admin.call(trouble[0] ?? "", ...trouble.slice(1));
      const end = performance.now() + 5 * probeEvery;
      while (performance.now() < end) {
        expect(passed(await takeAll(limiter, windows(3)))).toBe(3);
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(limiter.status().shared).toBe(false);
      }
      expect(limiter.log.lines).toEqual([
        expect.objectContaining({ level: "warn", fields: { reason } }),
      ]);

      await admin.config("SET", "maxmemory", "0", "min-replicas-to-write", "0");
      await admin.call("REPLICAOF", "NO", "ONE");
      await admin.call("ACL", "SETUSER", "default", "+evalsha");
      await until(() => limiter.status().shared);
      expect(limiter.log.lines.map(({ level }) => level)).toEqual(["warn", "info"]);
    },
  );

  test("a key that somebody else wrote spoils nobody's count but its own", async () => {
    const { url, admin } = await redisWith();
    const limiter = await limiterOn(url);
    for (const value of ["list", "word"]) {
      const [before, foreign, after] = ["before", "foreign", "after"].map((subject) => ({
        ...window,
        subject: `${subject} ${value}`,
        limit: 1,
      })) as [LimitWindow, LimitWindow, LimitWindow];
      await (value === "list"
        ? admin.rpush(keyOf(foreign), value)
        : admin.set(keyOf(foreign), value));
      expect(
        (await takeAll(limiter, [before, foreign, after])).map(({ allowed }) => allowed),
      ).toEqual([true, true, true]);
      expect(await admin.mget(keyOf(before), keyOf(after))).toEqual(["1", "1"]);
      expect((await limiter.take(foreign)).allowed).toBe(false);
    }
    expect([limiter.status().shared, limiter.log.lines]).toEqual([true, []]);
  });

  test("all counters of a call stand on one node of a cluster", async () => {
    const configuration = `nodes-${process.pid}.conf`;
    opened.push({ close: async () => rmSync(`/tmp/${configuration}`, { force: true }) });
    const start = () =>
      redisWith("--cluster-enabled", "yes", "--cluster-config-file", configuration);
    // Its bus port, 10,000 above its own, may be taken.
    const { url, admin } = await start().catch(start).catch(start);
    await admin.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await until(async () =>
      String(await admin.call("CLUSTER", "INFO")).includes("cluster_state:ok"),
    );
    const limiter = await limiterOn(url);
    expect(passed(await takeAll(limiter, windows(20)))).toBe(20);
    expect(limiter.status().shared).toBe(true);
  });

  test("Redis is used again though the old connection never ended (RE-32)", async () => {
    const { url } = await redisWith();
    const [sockets, swallowed]: [Socket[], Set<Socket>] = [[], new Set()];
    const proxy = createServer((caller) => {
      const redis = connect(Number(new URL(url).port), "127.0.0.1");
      for (const [from, to] of [
        [caller, redis],
        [redis, caller],
      ] as const) {
        from.on("error", () => {}).on("close", () => to.destroy());
        from.on("data", (data) => void (swallowed.has(caller) || to.write(data)));
      }
      sockets.push(caller);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const close = async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    };
    opened.push({ close });
    const { port } = proxy.address() as { port: number };
    const limiter = await limiterOn(`redis://127.0.0.1:${port}`);
    await limiter.take(window);
    for (const socket of sockets) swallowed.add(socket);
    await until(async () => {
      await limiter.take(window);
      return !limiter.status().shared;
    });
    const lost = livedTime();
    await until(() => limiter.status().shared);
    expect(lost()).toBeLessThan(5_000);
  });

  test("a Redis with another password is told as such, and used when the password is right again", async () => {
    const { url, admin } = await redisWith();
    await admin.config("SET", "requirepass", "another");
    const limiter = await limiterOn(url.replace("//", "//:one@"));
    expect((await limiter.take(window)).allowed).toBe(true);
    expect(limiter.log.lines).toEqual([
      expect.objectContaining({ fields: { reason: "WRONGPASS" } }),
    ]);
    expect(JSON.stringify(limiter.log.lines)).not.toContain("one@");
    await admin.config("SET", "requirepass", "one");
    await until(() => limiter.status().shared);
  });

  test.each([1, 2])(
    "of a minute in which Redis is killed and comes back without its counts, %i processes let through at most the limit each (RE-30)",
    async (processes) => {
      const redis = await redisWith();
      const limiters = await Promise.all(
        Array.from({ length: processes }, () => limiterOn(redis.url)),
      );
      const passedUnder = async (calls: number) => {
        const rounds = Array.from({ length: calls / processes / 10 }, () => limiters);
        let count = 0;
        for (const round of rounds)
          count += passed(
            (await Promise.all(round.map((each) => takeAll(each, Array(10).fill(window))))).flat(),
          );
        return count;
      };
      const before = await passedUnder(200);
      expect(before).toBe(200);
      const underWay = Promise.all(limiters.map((each) => takeAll(each, Array(10).fill(window))));
      await redis.kill();
      const killed = passed((await underWay).flat());
      const without = await passedUnder(600);
      await redis.start();
      await until(() => limiters.every((limiter) => limiter.status().shared));
      const after = await passedUnder(600);
      expect(before + killed + without + after).toBeLessThanOrEqual(processes * window.limit);
      expect(before + killed + without).toBeGreaterThanOrEqual(window.limit);
    },
  );

  test("a paused Redis costs a call no more than its patience, and no call is counted twice", async () => {
    const { url, admin } = await redisWith();
    const limiter = await limiterOn(url);
    const wide = { ...window, limit: 1_000 };
    await limiter.take(wide);
    await admin.client("PAUSE", "800");
    const took: number[] = [];
    for (let at = 0; at < 40; at++) {
      const started = livedTime();
      await takeAll(limiter, [wide, wide, wide]);
      took.push(started());
    }
    expect(limiter.status().shared).toBe(false);
    expect(Math.max(...took)).toBeLessThan(150);
    expect(took.filter((milliseconds) => milliseconds > 25).length).toBeLessThan(10);
    await until(() => limiter.status().shared);
    expect(await limiter.peek(wide)).toMatchObject({ allowed: true, remaining: 1_000 - 121 });
  });
});
