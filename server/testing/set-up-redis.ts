import type { TestProject } from "vitest/node";
import { startRedis } from "./redis";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the run's Redis, or undefined where there is none; tests then skip themselves. */
    redisUrl: string | undefined;
  }
}

/** Vitest's global set-up: one Redis for the run, or one visible line that says what is left out. */
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
