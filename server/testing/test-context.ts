import { afterAll } from "vitest";
import type { Database } from "#db/client";
import type { Context } from "#server/context";
import { createContext } from "#server/create-context";
import type { EventLimits } from "#server/events/feed";
import { parseEnvironment, type Settings } from "#server/platform/env";
import type { RateLimits } from "#server/platform/environment-variables";
import type { Limiter } from "#server/platform/limiter/limiter";
import type { Log } from "#server/platform/log";
import type { Fetch } from "#server/platform/upstream";
import { createSimulator } from "#simulator/simulator";
import { type MovableClock, movableClock, testStart } from "./movable-clock";
import { type RecordedLog, recordedLog } from "./recorded-log";

/** Has its own database, a stopped clock and a small simulated game. */
export interface TestContext {
  readonly ctx: Context;
  readonly clock: MovableClock;
  readonly simulator: ReturnType<typeof createSimulator>;
  /** Secrets are already masked. */
  readonly log: RecordedLog;
}

export interface TestContextOptions {
  readonly database: Database;
  readonly settings?: Omit<Partial<Settings>, "rates"> & { readonly rates?: Partial<RateLimits> };
  /** A second instance on this one's database, clock and game. */
  readonly beside?: TestContext;
  readonly world?: "demo";
  readonly gameFetch?: Fetch;
  /** Retries failed calls, as in production; default off, so that one fault is one failure. */
  readonly secondTries?: true;
  readonly eventLimits?: Partial<EventLimits>;
  readonly limiter?: (parts: { readonly now: () => Date; readonly log: Log }) => Promise<Limiter>;
  readonly endProcess?: () => void;
}

const testSecret = "tests-alone-use-this-Server-Secret-0123456789-abcdefghij";

/**
 * Uses the product's composition root with the test's clock, log, game and database. No jobs and no
 * token cache by default. Closed after the file's last test.
 */
export async function testContext(options: TestContextOptions): Promise<TestContext> {
  const clock = options.beside?.clock ?? movableClock(testStart);
  const log = recordedLog();
  const simulator =
    options.beside?.simulator ??
    createSimulator({ seed: 1, epoch: testStart, now: clock.now, world: options.world ?? "small" });
  const defaults = parseEnvironment({ SERVER_SECRET: testSecret, TOKEN_CACHE: "off", JOBS: "off" });
  const ctx = await createContext(
    { ...defaults, ...options.settings, rates: { ...defaults.rates, ...options.settings?.rates } },
    {
      database: options.database,
      now: clock.now,
      log,
      gameFetch: options.gameFetch ?? simulator.fetch,
      demo: simulator.control,
      endProcess: options.endProcess ?? (() => {}),
      ...(options.limiter && { limiter: await options.limiter({ now: clock.now, log }) }),
      ...(options.eventLimits && { eventLimits: options.eventLimits }),
      ...(!options.secondTries && { secondTries: false as const }),
    },
  );
  afterAll(() => ctx.close());
  return { ctx, clock, simulator, log };
}
