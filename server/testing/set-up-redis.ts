import type { TestProject } from "vitest/node";
import { startRedis } from "./redis";

declare module "vitest" {
  interface ProvidedContext {
    /** Undefined without a Redis; tests then skip themselves. */
    redisUrl: string | undefined;
  }
}

/** One Redis per run, or one line about the skipped tests. */
export default async function setUp(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const redis = await startRedis();
  if (!redis)
    process.stdout.write(
      "note: neither redis-server nor TEST_REDIS_URL: the tests on Redis are skipped\n",
    );
  project.provide("redisUrl", redis?.url);
  return redis?.stop;
}
