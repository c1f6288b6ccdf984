import { afterAll } from "vitest";
import type { Database } from "#db/client";
import type { Context } from "#server/context";
import { createContext } from "#server/create-context";
import type { EventLimits } from "#server/events/event-limits";
import { parseEnvironment, type Settings } from "#server/platform/env";
import type { Rates } from "#server/platform/environment-variables";
import type { Limiter } from "#server/platform/limiter/limiter";
import type { Log } from "#server/platform/log";
import type { Fetch } from "#server/platform/upstream";
import { createSimulator } from "#simulator/simulator";
import { type MovableClock, movableClock, testStart } from "./movable-clock";
import { type RecordedLog, recordedLog } from "./recorded-log";

/**
 * A context on a test's own database, with a clock that moves only on request and a small simulated
 * game.
 */
export interface TestContext {
  readonly ctx: Context;
  readonly clock: MovableClock;
  readonly simulator: ReturnType<typeof createSimulator>;
  /** What was logged, secrets already cut, for tests that look for what must not be there. */
  readonly log: RecordedLog;
}

export interface TestContextOptions {
  readonly database: Database;
  readonly settings?: Omit<Partial<Settings>, "rates"> & { readonly rates?: Partial<Rates> };
  /** Another instance on the same database shares clock and game with the first. */
  readonly beside?: TestContext;
  /** The world that a visitor sees, in place of the small one. */
  readonly world?: "demo";
  /** Another game than the simulated one: an upstream over HTTP. */
  readonly gameFetch?: Fetch;
  /** Calls that failed are made again, as in production. Without it one fault is one failure. */
  readonly secondTries?: true;
  readonly eventLimits?: Partial<EventLimits>;
  /** Another limiter than the settings name. */
  readonly limiter?: (parts: { readonly now: () => Date; readonly log: Log }) => Promise<Limiter>;
  /** What happens where an operator ends the process; by default nothing, because it is the tests' own. */
  readonly endProcess?: () => void;
}

const testSecret = "tests-alone-use-this-Server-Secret-0123456789-abcdefghij";

/**
 * Opens a context through the product's own composition root; only clock, log, game and database are brought along.
 * Jobs do not run by themselves, and no token cache blurs an assertion, unless the settings say otherwise.
 * Closed after the file's last test.
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
