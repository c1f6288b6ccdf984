import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const everywhere = "{app,server,simulator,db,scripts,e2e/support}/**";
/** The name of a test file says what it needs. */
const tests = {
  /** On PGlite and on PostgreSQL. */
  onBoth: `${everywhere}/*.db.test.ts`,
  /** On PostgreSQL alone: claims about concurrency, which PGlite's single connection hides. */
  onPostgres: `${everywhere}/*.pg.test.ts`,
  onRedis: `${everywhere}/*.redis.test.ts`,
  /** The rules of the house: who may import whom, sizes, names. */
  house: "server/{architecture,house}.test.ts",
  /** Everything else: no database, no server but loopback doubles. */
  unit: `${everywhere}/*.test.{ts,tsx}`,
};

export default defineConfig({
  test: {
    // They end what hangs and measure nothing: a busy machine makes a test many times slower.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // As in the browser: a whole run names a test that passes at the second try, and does not fail by it alone.
    retry: process.env.CI ? 1 : 0,
    // An embedded database takes up to 800 MB: more workers than cores only swap.
    maxWorkers: Math.min(4, availableParallelism()),
    // No test replaces a module and no module keeps state, so that files can share what they load: it saves two thirds.
    isolate: false,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [tests.unit, "*.test.ts"],
          exclude: [tests.onBoth, tests.onPostgres, tests.onRedis, tests.house],
        },
      },
      { extends: true, test: { name: "architecture", include: [tests.house] } },
      {
        extends: true,
        test: {
          name: "pglite",
          include: [tests.onBoth],
          env: { TEST_STORE: "pglite" },
          globalSetup: "server/testing/set-up-pglite.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: [tests.onBoth, tests.onPostgres],
          env: { TEST_STORE: "postgres" },
          globalSetup: "server/testing/set-up-postgres.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "redis",
          include: [tests.onRedis],
          globalSetup: "server/testing/set-up-redis.ts",
        },
      },
    ],
  },
});
