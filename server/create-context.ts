import { setTimeout as wait } from "node:timers/promises";
import { ensureAppState } from "#db/app-state";
import type { Database } from "#db/client";
import { listenWorks } from "#db/hints";
import { createSimulator, type Simulator, type SimulatorControl } from "#simulator/simulator";
import { createAuditWriter } from "./audit/store";
import { chatClientOf } from "./chat/client";
import { backgroundContextOf, type Context, holdContext, peekContext } from "./context";
import { enrolDemoPeople } from "./demo/demo-world";
import { createDemoJob } from "./demo/run-demo";
import { createSequencer } from "./event-log/sequencer";
import { createEventFeed, type EventLimits, usualLimits } from "./events/feed";
import { createAddressBudget } from "./game/budget";
import { createGameClient } from "./game/client";
import { createPresence } from "./health/presence";
import { startJobs } from "./jobs/runner";
import { notify } from "./notices/notices";
import { createAuthenticator } from "./oauth/tokens/authenticate";
import { findTokenOwners } from "./oauth/tokens/store";
import { openDatabase } from "./open-database";
import { listenToOperator } from "./operator/operator-socket";
import { type Clock, createSyncedClock } from "./platform/clock";
import { readSettings, type Settings, version } from "./platform/env";
import { causesOf, isConnectionLost, serializeError } from "./platform/errors";
import { createIds } from "./platform/ids";
import { openServerKeyring } from "./platform/keyring";
import { createLimiter } from "./platform/limiter/create-limiter";
import { type Limiter, withLimiterMetrics } from "./platform/limiter/limiter";
import { createLog, type Log } from "./platform/log";
import { createMetrics } from "./platform/metrics";
import { secondMs } from "./platform/time";
import type { Fetch } from "./platform/upstream";
import { within } from "./platform/within";
import { createRequestLog } from "./rest/request-log";
import { assertKnownServerSecret, resealStoredSecrets } from "./server-secret/server-secret";
import { ensureLogPartitions } from "./sweeper/log-partitions";
import { createDeliverer } from "./webhooks/deliverer";
import { createOutboundClient } from "./webhooks/send-attempt";

export interface Overrides {
  readonly database?: Database;
  readonly now?: () => Date;
  readonly limiter?: Limiter;
  readonly gameFetch?: Fetch;
  readonly demo?: SimulatorControl;
  /** Without retries of game calls, one fault is one failure. */
  readonly secondTries?: false;
  readonly log?: Log;
  readonly jobs?: boolean;
  /** False for a command, which has no requests. */
  readonly serves?: false;
  readonly endProcess?: () => void;
  readonly eventLimits?: Partial<EventLimits>;
}

const worldSeed = 1;
/** A caller waits for this share of its deadline, and `clockError` milliseconds. */
const awaitedShare = 1.5;
const clockError = 500;
/** Milliseconds; `lastWords` follow the close of the database. */
const closeTimeout = 10_000;
const jobsShare = 0.75;
const lastWords = 500;

export async function createContext(
  settings: Settings,
  overrides: Overrides = {},
): Promise<Context> {
  const ids = createIds(() => now());
  const instance = ids.uuid();
  const log = overrides.log ?? createLog(settings.logLevel, { instance });
  const metrics = createMetrics();
  const database = overrides.database ?? (await openDatabase(settings, log));
  const clock: Clock = overrides.now
    ? { now: overrides.now, stop: () => {} }
    : await createSyncedClock(database.serverTime);
  const now = clock.now;
  const keyring = await openServerKeyring(settings);
  const giveUp = async (error: unknown): Promise<never> => {
    clock.stop();
    if (!overrides.database) await database.close();
    throw error;
  };
  await assertKnownServerSecret(database, { keyring, now }).catch(giveUp);
  // Serverless functions leave partitions to the job.
  if (!settings.serverless) await ensureLogPartitions({ database, log, now }).catch(giveUp);
  const limiter = withLimiterMetrics(
    overrides.limiter ?? (await createLimiter({ settings, now, log, metrics })),
    metrics,
  );
  const work = createDeferredWork(log);
  const requestLog = createRequestLog({
    database,
    log,
    metrics,
    findOwners: (hashes) => findTokenOwners(database.query, hashes, now()),
  });
  const authenticator = await createAuthenticator({
    database,
    keyring,
    now,
    metrics,
    defer: work.defer,
    cached: settings.tokenCache,
  }).catch(giveUp);
  const simulator =
    settings.gameApiUrl || overrides.gameFetch ? null : await openSimulator(database, now);
  const gameFetch = overrides.gameFetch ?? simulator?.fetch ?? fetch;
  const game = createGameClient({
    baseUrl: settings.gameApiUrl ?? "http://game.invalid/v2",
    fetch: gameFetch,
    now,
    log,
    metrics,
    userAgent: `adjutant/${version} (+${settings.baseUrl})`,
    address: createAddressBudget({ database, now, limit: settings.gameCallsAMinute, log }),
    // With jitter, so that concurrent callers do not retry together.
    secondTryAfter:
      overrides.secondTries === false ? undefined : () => 100 + (ids.bytes(1)[0] ?? 0),
  });
  const control = settings.demo === "off" ? undefined : (overrides.demo ?? simulator?.control);

  const longestWait = settings.databaseTimeout * secondMs * awaitedShare + clockError;
  const requestTime = () => {
    const at = now();
    return { at, until: overrides.now ? null : new Date(at.getTime() + longestWait) };
  };

  // A serverless function stops between calls, so it works for its caller only.
  const serves = overrides.serves ?? !settings.serverless;
  const runsJobs = overrides.jobs ?? settings.jobs === "inline";

  let stopListening = () => {};

  const ctx: Context = {
    settings,
    database,
    now,
    ids,
    keyring,
    limiter,
    game: { ...game, control },
    chat: chatClientOf(settings, now),
    log,
    metrics,
    tokens: { ...authenticator, requestTime },
    events: {
      sequencer: createSequencer({ database, log, defer: work.defer, watches: runsJobs }),
      feed: createEventFeed({
        database,
        now,
        ids,
        log,
        limits: { ...usualLimits, ...overrides.eventLimits },
        watchRights: authenticator.watch,
      }),
    },
    outgoing: createOutboundClient({ settings }),
    audit: createAuditWriter(now),
    notify: (on, notices) => notify(ctx, on, notices),
    logRequest: requestLog.write,
    memory: new Map(),
    presence: createPresence({ database, id: instance, now, limiter, log, serves }),
    defer: work.defer,
    settled: async () => {
      await work.settled();
      await requestLog.flush();
    },
    close: async (timeout = closeTimeout) => {
      stopListening();
      ctx.events.feed.close();
      const windUp = async () => {
        await Promise.all([jobs?.stop(timeout * jobsShare), deliverer?.stop(timeout * jobsShare)]);
        ctx.events.sequencer.stop();
        await ctx.settled();
        await requestLog.close();
        await ctx.presence.leave();
      };
      const windingUp = windUp();
      const isOver = await within(timeout, windingUp).then(
        () => true,
        () => false,
      );
      clock.stop();
      await limiter.close();
      if (!overrides.database) await database.close();
      if (isOver) return;
      // Work that waited for the database now fails and logs that.
      await within(lastWords, windingUp).catch(() => {});
      log.warn({}, "the process ends without waiting any longer for jobs and work after answers");
    },
  };
  database.hints.onFailure((error) =>
    log.warn(
      { error: serializeError(error) },
      "the database refuses NOTIFY: other instances hear of changes up to a second later",
    ),
  );
  if (serves) {
    if (database.kind === "pglite" && !overrides.database)
      work.defer(async () => {
        stopListening = await listenToOperator(ctx);
      });
    work.defer(ctx.presence.beat);
    work.defer(() => ctx.presence.onEnd(overrides.endProcess ?? endAsBySignal));
    work.defer(() => resealStoredSecrets(backgroundContextOf(ctx)));
  }
  const jobs = runsJobs
    ? startJobs(ctx, control && settings.demo === "alive" ? [createDemoJob(control)] : [])
    : undefined;
  const deliverer = runsJobs ? createDeliverer(ctx) : undefined;
  if (deliverer) work.defer(deliverer.start);
  if (database.kind === "postgres" && !settings.serverless)
    work.defer(() => warnWhereDeaf(database, log));
  if (serves && simulator && settings.demo === "still")
    work.defer(async () => void (await enrolDemoPeople(backgroundContextOf(ctx))));
  return ctx;
}

const endAsBySignal = () => {
  process.kill(process.pid, "SIGTERM");
};

/** Milliseconds. */
const longestEcho = 5_000;

async function warnWhereDeaf(database: Database, log: Log): Promise<void> {
  if (await listenWorks(database, longestEcho)) return;
  log.warn(
    {},
    "LISTEN hears nothing, as behind a pooler in transaction mode: set DATABASE_DIRECT_URL to an address past it. Events come up to a second later, and ended tokens live up to 0.8 seconds longer on other instances.",
  );
}

/** The stored epoch keeps the world the same after a restart. */
async function openSimulator(database: Database, now: () => Date): Promise<Simulator> {
  const epoch = new Date(await ensureAppState(database.query, "world-epoch", now().toISOString()));
  return createSimulator({ seed: worldSeed, epoch, now });
}

/** Shared by the front and by Next's copy of this module. */
export const getContext = (overrides: Overrides = {}): Promise<Context> =>
  peekContext() ?? holdContext(createContext(readSettings(), overrides));

/** Milliseconds. */
const firstRetry = 1_000;
const longestRetry = 10_000;

interface RetryOptions {
  readonly open: (parts: Overrides) => Promise<Context>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

/** The database may still be starting. */
export async function createContextWithRetries(
  settings: Settings,
  parts: Overrides = {},
  waiting: RetryOptions = { open: getContext, wait },
): Promise<Context> {
  for (let retry = firstRetry; ; retry = Math.min(retry * 2, longestRetry)) {
    try {
      return await waiting.open(parts);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      const log = parts.log ?? createLog(settings.logLevel);
      // The innermost cause names host and code.
      const cause = causesOf(error).at(-1);
      log.warn(
        { error: serializeError(cause), retryMilliseconds: retry },
        "the database does not answer; trying again",
      );
      await waiting.wait(retry);
    }
  }
}

function createDeferredWork(log: Log) {
  const running = new Set<Promise<void>>();
  return {
    defer: (work: () => Promise<void>): void => {
      const run: Promise<void> = Promise.resolve()
        .then(work)
        .catch((error: unknown) =>
          log.error({ error: serializeError(error) }, "work after an answer failed"),
        )
        .finally(() => running.delete(run));
      running.add(run);
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
