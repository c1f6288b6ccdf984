import type { Asked } from "#db/asked";
import type { Database, Queryable } from "#db/client";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { openPglite } from "#db/pglite";
import type { TokenHolder } from "./actor";
import type { AuditEvent } from "./audit/audit";
import { appendAuditEvents } from "./audit/store";
import type { ChatClient } from "./chat/client";
import { openChat } from "./chat/open-chat";
import { enrolDemoPeople } from "./demo/enrol-demo-people";
import type { VaultRead } from "./faction/banking/vault-read";
import { rememberFact } from "./facts/store";
import { createAddressBudget } from "./game/budget-of-address";
import { createGameClient, type GameClient } from "./game/client";
import { jitteredSecondTry } from "./game/second-try";
import { createSimulator } from "./game/simulator/simulator";
import type { Fetch } from "./game/transport";
import { openReadiness, type Readiness } from "./health/readiness";
import { openPresence, type Presence } from "./instances/presence";
import { startJobs } from "./jobs/start-jobs";
import { insertNotices } from "./notices/store";
import type { RegisteredClient } from "./oauth/clients/client";
import { openRotator, type Rotator } from "./oauth/grants/rotator";
import { openAuthenticator } from "./oauth/tokens/authenticate";
import { type Clock, followingClock } from "./platform/clock";
import type { Keyring } from "./platform/crypto/keyring";
import { openDeferredWork } from "./platform/deferred-work";
import { readSettings, type Settings } from "./platform/env";
import { type Ids, randomIds } from "./platform/ids";
import type { Limiter } from "./platform/limiter/limiter";
import { openLimiter } from "./platform/limiter/open-limiter";
import { type Log, openLog } from "./platform/log";
import { openServerKeyring } from "./platform/server-secret";
import { openRestMemory, type RestMemory } from "./rest/memory";
import { openRequestLog } from "./rest/request-log";
import type { RequestLogLine } from "./rest/request-log-line";
import { assertSecretInForce } from "./server-secret/assert-secret-in-force";
import { followServerSecret } from "./server-secret/follow-server-secret";
import type { OwnPlayer } from "./users/player";
import { version } from "./version";

/** What an access token stands for, or undefined when it is unknown, expired or revoked. */
export interface Authentication {
  readonly actor: TokenHolder;
  /** Paused by the player, or suspended with its application: known, but not let through. */
  readonly standing: "active" | "paused" | "suspended";
  /** The player's record, where the very statement that found the token read it. Never remembered. */
  readonly player?: OwnPlayer;
}

/** Whose rights ended. Every instance drops what it remembers of them. */
export type Revocation =
  | { readonly grantId: string }
  | { readonly consentId: string }
  | { readonly clientId: string }
  | { readonly accountId: string };

/** All that a verb may reach besides its input. Built once per process. */
export interface Context {
  readonly settings: Settings;
  readonly database: Database;
  readonly now: () => Date;
  /** Now, for a statement that must count from when it is carried out, and must not be once its caller has given up. */
  readonly asked: () => Asked;
  readonly ids: Ids;
  readonly keyring: Keyring;
  readonly limiter: Limiter;
  readonly game: GameClient;
  readonly chat: ChatClient;
  readonly log: Log;
  /** Who holds this bearer token. */
  readonly authenticate: (token: string) => Promise<Authentication | undefined>;
  /** The registered application with this id; undefined when there is none, or it was deleted. */
  readonly findClient: (clientId: string) => Promise<RegisteredClient | undefined>;
  /** Moves a chain of refresh tokens on by one step. */
  readonly rotate: Rotator;
  /** Drops what this process remembers of somebody's rights; other instances forget within a second by themselves. */
  readonly forget: (revocation: Revocation) => void;
  /** Tells every instance that somebody's rights ended. In a transaction, at its commit. */
  readonly announceRevocation: (on: Queryable, revocation: Revocation) => Promise<void>;
  /** Appends an event, or many at once, to the audit log; in a transaction it stands or falls with the act. */
  readonly audit: (on: Queryable, event: AuditEvent | readonly AuditEvent[]) => Promise<void>;
  /** Leaves a notice for an account in the portal. */
  readonly notify: (on: Queryable, accountId: string, notice: { kind: string; text: string }) => Promise<void>;
  /** The same for many accounts, in one statement. */
  readonly notifyAll: (
    on: Queryable,
    notices: readonly { accountId: string; kind: string; text: string }[],
  ) => Promise<void>;
  /** Queues a line of the request log; written in batches. */
  readonly logRequest: (line: RequestLogLine) => void;
  /** What dispatch remembers between calls: refused tokens, answers that serve everybody. */
  readonly restMemory: RestMemory;
  /** Players whom this process reads from the game for a caller right now: who wants the same player waits for it. */
  readonly refreshes: Map<number, Promise<void>>;
  /** The newest reading of each faction's vault in this process, by faction. */
  readonly vaultReads: Map<number, VaultRead>;
  /** Whether this process wants new requests; false while it drains. */
  readonly readiness: Readiness;
  /** This process among the others that serve the same database. */
  readonly presence: Presence;
  /** Runs work after the answer; its failure is logged. */
  readonly defer: (work: () => Promise<void>) => void;
  /** Resolves when all deferred work and queued log lines are done. */
  readonly settled: () => Promise<void>;
  /** Stops the jobs, finishes deferred work and lets go of database, limiter and clock. */
  readonly close: () => Promise<void>;
}

/** Parts that a test, or a process with a duty of its own, brings instead of what the settings name. */
export interface Parts {
  readonly database?: Database;
  readonly now?: () => Date;
  readonly ids?: Ids;
  readonly limiter?: Limiter;
  readonly gameFetch?: Fetch;
  /** False: a call to the game that fails is not made again, so that one fault is one failure. */
  readonly secondTries?: false;
  readonly chat?: ChatClient;
  readonly log?: Log;
  /** Whether periodic jobs run in this process; by default as the setting says. */
  readonly jobs?: boolean;
}

const worldSeed = 1;
/** What a call may wait for a connection, and what two clocks may differ. Milliseconds. */
const queueing = 2_500;

/** Opens every part that the settings name and puts them together. The caller closes it. */
export async function openContext(settings: Settings, parts: Parts = {}): Promise<Context> {
  const log = parts.log ?? openLog(settings.logLevel);
  const database = parts.database ?? (await openDatabase(settings, log));
  const clock: Clock = parts.now ? { now: parts.now, stop: () => {} } : await followingClock(database.serverTime);
  const now = clock.now;
  const ids = parts.ids ?? randomIds();
  const keyring = await openServerKeyring(settings);
  await assertSecretInForce(database, { keyring, now }).catch(async (error: unknown) => {
    clock.stop();
    if (!parts.database) await database.close();
    throw error;
  });
  const limiter = parts.limiter ?? (await openLimiter({ settings, now, log }));
  const work = openDeferredWork(log);
  const requestLog = openRequestLog({ database, log });
  const authenticator = await openAuthenticator({
    database,
    keyring,
    ids,
    now,
    log,
    defer: work.defer,
    cached: settings.tokenCache,
  });
  const gameFetch = parts.gameFetch ?? (await openGameFetch(settings, database, now));
  const game = createGameClient({
    baseUrl: settings.gameApiUrl ?? "http://game.invalid/v2",
    fetch: gameFetch,
    now,
    log,
    userAgent: `adjutant/${version} (+${settings.baseUrl})`,
    address: createAddressBudget({ database, now, limit: settings.gameCallsAMinute, log }),
    secondTry: parts.secondTries === false ? undefined : jitteredSecondTry(ids),
  });

  const ctx: Context = {
    settings,
    database,
    now,
    asked: () => {
      const at = now();
      return { at, until: parts.now ? null : new Date(at.getTime() + settings.databaseTimeout * 1_000 + queueing) };
    },
    ids,
    keyring,
    limiter,
    game,
    chat: parts.chat ?? openChat(settings, now),
    log,
    authenticate: authenticator.authenticate,
    findClient: authenticator.findClient,
    rotate: openRotator(database, now),
    forget: authenticator.forget,
    announceRevocation: authenticator.announceRevocation,
    audit: (on, event) => appendAuditEvents(on, [event].flat(), now()),
    notify: (on, accountId, notice) => ctx.notifyAll(on, [{ accountId, ...notice }]),
    notifyAll: (on, notices) =>
      insertNotices(
        on,
        notices.map((notice) => ({ ...notice, id: ids.uuid(), createdAt: now() })),
      ),
    logRequest: requestLog.write,
    restMemory: openRestMemory(),
    refreshes: new Map(),
    vaultReads: new Map(),
    readiness: openReadiness(),
    presence: openPresence({ database, id: ids.uuid(), now, limiter, log }),
    defer: work.defer,
    settled: async () => {
      await work.settled();
      await requestLog.flush();
    },
    close: async () => {
      await jobs?.stop();
      await ctx.settled();
      await requestLog.close();
      await ctx.presence.leave();
      clock.stop();
      await limiter.close();
      if (!parts.database) await database.close();
    },
  };
  work.defer(ctx.presence.beat);
  work.defer(() => followServerSecret(ctx));
  const jobs = (parts.jobs ?? settings.jobs === "inline") ? startJobs(ctx) : undefined;
  if (settings.demo && !parts.gameFetch) work.defer(() => enrolDemoPeople(ctx));
  return ctx;
}

/** Opens the database of the settings and brings it to this release's schema. */
export async function openDatabase(settings: Settings, log: Log): Promise<Database> {
  if (settings.databaseUrl) {
    const database = openPostgres({
      url: settings.databaseUrl,
      deadline: settings.databaseTimeout * 1_000,
      jobDeadline: settings.databaseJobTimeout * 1_000,
    });
    try {
      await migrate(database);
    } catch (error) {
      // Whoever tries again opens its own.
      await database.close();
      throw error;
    }
    return database;
  }
  const database = await openPglite(settings.dataDir, (sentence) => {
    // The next query could freeze for ever: a dead process is restarted, a frozen one is not.
    process.stderr.write(`${sentence}\n`);
    process.exit(1);
  });
  const applied = await migrate(database);
  if (applied.length > 0) log.info({ applied }, "database migrated");
  return database;
}

/** The real game is reached through the platform's fetch, the simulated one through its own; nothing else differs. */
async function openGameFetch(settings: Settings, database: Database, now: () => Date): Promise<Fetch> {
  if (settings.gameApiUrl) return fetch;
  // The world's epoch is kept with the data, so that a restart finds the same world, only older.
  const epoch = new Date(await rememberFact(database.query, "world-epoch", now().toISOString()));
  return createSimulator({ seed: worldSeed, epoch, now }).fetch;
}

/** The promise itself is kept, so that two first callers open one context; a failed one is forgotten. */
interface Held {
  context: Promise<Context>;
}

const place = Symbol.for("adjutant.context");

/** The process's context, shared by the front and by Next's own copy of this module. Opened on first use. */
export function getContext(parts: Parts = {}): Promise<Context> {
  const shelf = globalThis as typeof globalThis & { [place]?: Held };
  const held = shelf[place];
  if (held) return held.context;
  const context = openContext(readSettings(), parts);
  const mine: Held = { context };
  shelf[place] = mine;
  context.catch(() => {
    if (shelf[place] === mine) delete shelf[place];
  });
  return context;
}
