import { Redis } from "ioredis";
import { describe, expect, inject, test } from "vitest";

const url = inject("redisUrl");

describe.skipIf(!url)("the run's Redis", () => {
  test("answers", async () => {
    const redis = new Redis(url ?? "");
    expect(await redis.ping()).toBe("PONG");
    redis.disconnect();
  });
});
