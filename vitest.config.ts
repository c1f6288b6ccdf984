import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const everywhere = "{app,server,simulator,db,scripts,e2e/support}/**";
/** A test file's name states its needs. */
const tests = {
  /** On PostgreSQL; `npm run test:all` runs them on PGlite too. */
  onBoth: `${everywhere}/*.db.test.ts`,
  /** PostgreSQL only: claims about concurrency, which PGlite's single connection hides. */
  onPostgres: `${everywhere}/*.pg.test.ts`,
  onPglite: `${everywhere}/*.embedded.test.ts`,
  /** Processes and databases that are killed, frozen or unreachable. */
  faults: `${everywhere}/*.fault.test.ts`,
  onRedis: `${everywhere}/*.redis.test.ts`,
  architecture: "server/{architecture,house}.test.ts",
  /** Everything else: no database, only loopback servers. */
  unit: `${everywhere}/*.test.{ts,tsx}`,
};
/** The subset that `npm test` runs on PGlite too: migration, dump, every endpoint, a write flow. */
const embedded = [
  "server/testing/database.db.test.ts",
  "server/backup/drill.db.test.ts",
  "server/routes.db.test.ts",
  "server/faction/banking/close-request.db.test.ts",
];
const pglite = { env: { TEST_STORE: "pglite" }, globalSetup: "server/testing/set-up-pglite.ts" };
const postgres = {
  env: { TEST_STORE: "postgres" },
  globalSetup: "server/testing/set-up-postgres.ts",
};

export default defineConfig({
  test: {
    // Only for hanging tests: a busy machine makes a test many times slower.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    retry: Number(process.env.TEST_RETRIES ?? 0),
    // An embedded database takes up to 800 MB: more workers than cores only swap.
    maxWorkers: Math.min(4, availableParallelism()),
    // Without module mocks and module state, files can share loaded modules, which saves two thirds
    // of the time.
    isolate: false,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [tests.unit, "*.test.ts"],
          exclude: Object.values(tests).filter((pattern) => pattern !== tests.unit),
        },
      },
      { extends: true, test: { name: "architecture", include: [tests.architecture] } },
      {
        extends: true,
        test: { name: "postgres", include: [tests.onBoth, tests.onPostgres], ...postgres },
      },
      {
        extends: true,
        test: { name: "embedded", include: [tests.onPglite, ...embedded], ...pglite },
      },
      {
        extends: true,
        test: { name: "pglite", include: [tests.onPglite, tests.onBoth], ...pglite },
      },
      { extends: true, test: { name: "faults", include: [tests.faults], ...postgres } },
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
