import { afterAll, expect, inject, test } from "vitest";
import { limiterContract } from "#server/testing/limiter-contract";
import { recordedLog } from "#server/testing/recorded-log";
import { startUpstashDouble } from "#server/testing/upstash-double";
import { openLimiter } from "./open-limiter";

const redisUrl = inject("redisUrl");
const token = "token-of-a-test";
const double = redisUrl ? await startUpstashDouble(redisUrl, token) : undefined;
afterAll(() => double?.stop());

const onRedis = (now: () => Date, url = redisUrl ?? "") =>
  openLimiter({ settings: { redis: { url } }, now, log: recordedLog() });

if (redisUrl && double) {
  limiterContract("on Redis", (now) => onRedis(now));
  limiterContract("on Upstash's REST protocol", (now) =>
    openLimiter({ settings: { redis: { restUrl: double.url, restToken: token } }, now, log: recordedLog() }),
  );
}

test.skipIf(!redisUrl)("two instances share a window exactly (RE-41)", async () => {
  const instances = [await onRedis(() => new Date()), await onRedis(() => new Date())];
  const window = { policy: "shared", subject: `somebody ${process.pid} ${performance.timeOrigin}`, limit: 250 };
  const states = await Promise.all(
    Array.from({ length: 400 }, (_, at) => (instances[at % 2] ?? instances[0])?.take(window)),
  );
  expect(states.filter((state) => state?.allowed)).toHaveLength(250);
  expect(instances.map((limiter) => limiter.status())).toEqual(Array(2).fill({ kind: "redis", shared: true }));
  await Promise.all(instances.map((limiter) => limiter.close()));
});

test("a Redis that is not there does not keep the service from starting", async () => {
  const limiter = await onRedis(() => new Date(), "redis://127.0.0.1:1");
  expect(await limiter.take({ policy: "p", subject: "s", limit: 1 })).toMatchObject({ allowed: true });
  expect(limiter.status()).toEqual({ kind: "redis", shared: false });
  await limiter.close();
});
