import { Redis } from "ioredis";
import { afterAll, expect, inject, test } from "vitest";
import { limiterContract } from "#server/testing/limiter-contract";
import { movableClock } from "#server/testing/movable-clock";
import { recordedLog } from "#server/testing/recorded-log";
import { startUpstashDouble } from "#server/testing/upstash-double";
import { createLimiter } from "./create-limiter";

const redisUrl = inject("redisUrl");
const token = "token-of-a-test";
const double = redisUrl ? await startUpstashDouble(redisUrl, token) : undefined;
afterAll(() => double?.stop());

const onUpstash = (now: () => Date) =>
  createLimiter({
    settings: { redis: { restUrl: double?.url ?? "", restToken: token } },
    now,
    log: recordedLog(),
  });
const onRedis = (now: () => Date, url = redisUrl ?? "") =>
  createLimiter({ settings: { redis: { url } }, now, log: recordedLog() });
/**
 * A fixed clock: windows are clock minutes, and a new one between two calls would let more of them
 * pass.
 */
const inOneMinute = () => new Date("2026-03-01T12:00:10Z");

if (redisUrl && double) {
  limiterContract("on Redis", (now) => onRedis(now));
  limiterContract("on Upstash's REST protocol", onUpstash);
}

test.skipIf(!redisUrl)("two instances share a window exactly (RE-41)", async () => {
  const instances = [await onRedis(inOneMinute), await onRedis(inOneMinute)];
  const window = {
    policy: "shared",
    subject: `somebody ${process.pid} ${performance.timeOrigin}`,
    limit: 250,
  };
  const states = await Promise.all(
    Array.from({ length: 400 }, (_, at) => (instances[at % 2] ?? instances[0])?.take(window)),
  );
  expect(states.filter((state) => state?.allowed)).toHaveLength(250);
  expect(instances.map((limiter) => limiter.status())).toEqual(
    Array(2).fill({ kind: "redis", shared: true }),
  );
  await Promise.all(instances.map((limiter) => limiter.close()));
});

test.skipIf(!redisUrl)(
  "two instances share a window of Upstash exactly, however many calls are refused (RE-41)",
  async () => {
    const instances = await Promise.all([onUpstash(inOneMinute), onUpstash(inOneMinute)]);
    const window = {
      policy: "shared",
      subject: `of Upstash ${process.pid} ${performance.timeOrigin}`,
      limit: 250,
    };
    let passed = 0;
    for (let round = 0; round < 10; round++) {
      const calls = Array.from({ length: 40 }, (_, at) =>
        (instances[at % 2] ?? instances[0])?.take(window),
      );
      passed += (await Promise.all(calls)).filter((state) => state?.allowed).length;
    }
    expect(passed).toBe(250);
    await instances[0]?.giveBack(window, inOneMinute());
    expect(await instances[0]?.take(window)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await instances[0]?.take(window)).toMatchObject({ allowed: false });
    expect(instances.map((limiter) => limiter.status())).toEqual(
      Array(2).fill({ kind: "upstash", shared: true }),
    );
  },
);

test.skipIf(!redisUrl)(
  "what is given back to a counter that Upstash lost lets no more calls pass than the limit",
  async () => {
    const now = () => new Date("2026-03-01T12:00:10Z");
    const limiter = await onUpstash(now);
    const window = {
      policy: "lost",
      subject: `counter ${process.pid} ${performance.timeOrigin}`,
      limit: 3,
    };
    await limiter.take(window);
    const redis = new Redis(redisUrl ?? "");
    await redis.del(...(await redis.keys(`adjutant:lost:${window.subject}:*`)));
    await limiter.giveBack(window, now());
    expect(await limiter.peek(window)).toMatchObject({ remaining: 3 });
    const states = [];
    for (let at = 0; at < 5; at++) states.push((await limiter.take(window)).allowed);
    expect(states).toEqual([true, true, true, false, false]);
    await redis.quit();
  },
);

test.skipIf(!redisUrl)(
  "a key of Upstash that somebody else wrote spoils nobody's count but its own",
  async () => {
    const now = () => new Date("2026-03-01T12:00:10Z");
    const limiter = await onUpstash(now);
    const subject = `foreign ${process.pid} ${performance.timeOrigin}`;
    const [foreign, sound] = [
      { policy: "foreign", subject, limit: 1 },
      { policy: "sound", subject, limit: 1 },
    ];
    await limiter.take(foreign);
    const redis = new Redis(redisUrl ?? "");
    for (const value of ["list", "word"]) {
      const [key = ""] = await redis.keys(`adjutant:foreign:${subject}:*`);
      await redis.del(key);
      await (value === "list" ? redis.rpush(key, value) : redis.set(key, value));
      const peeks = await Promise.all([limiter.peek(foreign), limiter.peek(sound)]);
      expect(peeks.map(({ remaining }) => remaining)).toEqual([0, 1]);
      expect(limiter.status().shared).toBe(true);
    }
    await redis.quit();
  },
);

test.skipIf(!redisUrl)(
  "what is counted in one turn is counted each for itself, in the order it came",
  async () => {
    const limiter = await onRedis(() => new Date("2026-03-01T12:00:10Z"));
    const subject = `turn ${process.pid} ${performance.timeOrigin}`;
    const [narrow, wide] = [
      { policy: "narrow", subject, limit: 1 },
      { policy: "wide", subject, limit: 1_000 },
    ];
    const wideCalls = Array.from({ length: 450 }, () => limiter.take(wide));
    const turn = [limiter.take(narrow), limiter.take(narrow), limiter.peek(narrow)];
    await limiter.giveBack(narrow, new Date("2026-03-01T12:00:10Z"));
    turn.push(limiter.take(narrow));
    expect((await Promise.all(turn)).map(({ allowed }) => allowed)).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect((await Promise.all(wideCalls)).map(({ remaining }) => remaining)).toEqual(
      wideCalls.map((_, at) => 999 - at),
    );
    await limiter.close();
  },
);

test.skipIf(!redisUrl)(
  "a Redis that forgot its scripts, as after a restart, is told again",
  async () => {
    const limiter = await onRedis(inOneMinute);
    const window = {
      policy: "flushed",
      subject: `somebody ${process.pid} ${performance.timeOrigin}`,
      limit: 5,
    };
    await limiter.take(window);
    const redis = new Redis(redisUrl ?? "");
    await redis.script("FLUSH");
    await redis.quit();
    expect(await limiter.take(window)).toMatchObject({ allowed: true, remaining: 3 });
    expect(limiter.status().shared).toBe(true);
    await limiter.close();
  },
);

test.skipIf(!redisUrl)(
  "instances whose clocks differ let no minute pass more than its limit",
  async () => {
    const clocks = [
      movableClock(new Date("2026-03-01T12:00:56Z")),
      movableClock(new Date("2026-03-01T12:01:01Z")),
    ];
    const instances = await Promise.all(clocks.map(({ now }) => onRedis(now)));
    const window = {
      policy: "shared",
      subject: `of two clocks ${process.pid} ${performance.timeOrigin}`,
      limit: 25,
    };
    const passedOn = async () => {
      const states = instances.map((limiter) =>
        Promise.all(Array.from({ length: 40 }, () => limiter.take(window))),
      );
      return (await Promise.all(states)).map((own) => own.filter(({ allowed }) => allowed).length);
    };
    expect(await passedOn()).toEqual([25, 25]);
    expect(
      (await Promise.all(instances.map((limiter) => limiter.peek(window)))).map(
        ({ reset }) => reset,
      ),
    ).toEqual([4, 59]);
    for (const clock of clocks) clock.advance(4);
    expect(await passedOn()).toEqual([0, 0]);
    await Promise.all(instances.map((limiter) => limiter.close()));
  },
);

test.skipIf(!redisUrl)(
  "a call that is under way when the minute ends counts for the minute in which it came",
  async () => {
    const clock = movableClock(new Date("2026-03-01T12:00:59.999Z"));
    const limiter = await onRedis(clock.now);
    const window = {
      policy: "shared",
      subject: `of the end ${process.pid} ${performance.timeOrigin}`,
      limit: 1,
    };
    const late = limiter.take(window);
    clock.advance(0.001);
    expect(await late).toMatchObject({ allowed: true, remaining: 0, reset: 1 });
    expect(await limiter.take(window)).toMatchObject({ allowed: true, remaining: 0, reset: 60 });
    expect(await limiter.take(window)).toMatchObject({ allowed: false });
    await limiter.close();
  },
);

test("a Redis that is not there does not keep the service from starting", async () => {
  const limiter = await onRedis(() => new Date(), "redis://127.0.0.1:1");
  expect(await limiter.take({ policy: "p", subject: "s", limit: 1 })).toMatchObject({
    allowed: true,
  });
  expect(limiter.status()).toEqual({ kind: "redis", shared: false });
  await limiter.close();
});
