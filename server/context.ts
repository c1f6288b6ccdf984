import type { Database, Queryable } from "#db/client";
import type { RequestTime } from "#db/request-time";
import type { SimulatorControl } from "#simulator/journal";
import type { TokenHolder } from "./actor";
import type { AuditEvent } from "./audit/audit";
import type { ChatClient } from "./chat/client";
import type { Sequencer } from "./event-log/sequencer";
import type { EventFeed } from "./events/feed";
import type { GameClient } from "./game/client";
import type { Presence } from "./health/presence";
import type { Readiness } from "./health/readiness";
import type { RegisteredClient } from "./oauth/clients/client";
import type { Settings } from "./platform/env";
import type { Ids } from "./platform/ids";
import type { Keyring } from "./platform/keyring";
import type { Limiter } from "./platform/limiter/limiter";
import type { Log } from "./platform/log";
import type { Metrics } from "./platform/metrics";
import type { ObserveRequest } from "./platform/observe-request";
import type { AnsweredCall } from "./rest/request-log";
import type { ResponseCache } from "./rest/response-cache";
import type { PlayerRecord } from "./users/player";
import type { SendAttempt } from "./webhooks/send-attempt";

/** The holder of an access token, or undefined when it is unknown, expired or revoked. */
export interface Authentication {
  readonly actor: TokenHolder;
  /** Paused by the player, or suspended with its application: known, but not let through. */
  readonly status: "active" | "paused" | "suspended";
  /** The player's record, where the very statement that found the token read it. Never remembered. */
  readonly player?: PlayerRecord;
  /** When the token ends by itself, where that is known. */
  readonly expiresAt?: Date;
}

/** Rights that ended. Every instance drops its cached copies. */
export type Revocation =
  | { readonly grantId: string }
  | { readonly consentId: string }
  | { readonly clientId: string }
  | { readonly accountId: string };

/** A notice to an account; `path`: the page that it is about. */
export interface NewNotice {
  readonly kind: string;
  readonly text: string;
  readonly path?: string;
}

/** All that a verb may reach besides its input. Built once per process. */
export interface Context {
  readonly settings: Settings;
  readonly database: Database;
  readonly now: () => Date;
  /** Now, for a statement that must count from when it is carried out, and must not be once its caller has given up. */
  readonly requestTime: () => RequestTime;
  readonly ids: Ids;
  readonly keyring: Keyring;
  readonly limiter: Limiter;
  readonly game: GameClient;
  /** The acts that a visitor may cause in the simulated game of a demo; null where the game is a real one, and where DEMO is off. */
  readonly demo: SimulatorControl | null;
  readonly chat: ChatClient;
  readonly log: Log;
  /** The metrics of this process. */
  readonly metrics: Metrics;
  /** Called once for each request that was answered, whichever door it came through. */
  readonly observeRequest: ObserveRequest;
  readonly authenticate: (token: string) => Promise<Authentication | undefined>;
  /** The registered application with this id; undefined when there is none, or it was deleted. */
  readonly findClient: (clientId: string) => Promise<RegisteredClient | undefined>;
  /** Drops this process's cached rights; other instances forget within a second by themselves. */
  readonly forget: (revocation: Revocation) => void;
  /** Broadcasts a revocation; in a transaction, at its commit. */
  readonly announceRevocation: (on: Queryable, revocation: Revocation) => Promise<void>;
  /**
   * Appends an event, or many at once, to the audit log; in a transaction it commits with the act.
   */
  readonly audit: (on: Queryable, event: AuditEvent | readonly AuditEvent[]) => Promise<void>;
  /** Numbers the events that `recordEvents` recorded, after their commit. */
  readonly sequencer: Sequencer;
  /** Posts to a webhook endpoint, once. */
  readonly sendWebhook: SendAttempt;
  /** Reads the log of events as it grows, for all readers of events in this process. */
  readonly eventFeed: EventFeed;
  /** Leaves a notice for an account in the portal. */
  readonly notify: (on: Queryable, accountId: string, notice: NewNotice) => Promise<void>;
  /** The same for many accounts, in one statement. */
  readonly notifyAll: (
    on: Queryable,
    notices: readonly (NewNotice & { accountId: string })[],
  ) => Promise<void>;
  /** Queues a line of the request log; written in batches. */
  readonly logRequest: (call: AnsweredCall) => void;
  /** Answers of the API that are said again for a while. */
  readonly responseCache: ResponseCache;
  /** The state that single modules keep in this process; see `perProcess`. */
  readonly memory: Map<string, unknown>;
  /** Whether this process wants new requests; false while it drains. */
  readonly readiness: Readiness;
  /** This process among the others that serve the same database. */
  readonly presence: Presence;
  /** Runs work after the answer; its failure is logged. */
  readonly defer: (work: () => Promise<void>) => void;
  /** Resolves when all deferred work and queued log lines are done. */
  readonly settled: () => Promise<void>;
  /**
   * Ends what runs here and closes every part. Jobs, work after answers and the request log get so many milliseconds; what
   * still waits then, for a silent database say, is given up and named in the log.
   */
  readonly close: (timeout?: number) => Promise<void>;
}

/**
 * The context for background work: its statements may take longer, and take no connection from
 * pages and calls.
 */
export const inBackground = (ctx: Context): Context => ({
  ...ctx,
  database: { ...ctx.database, ...ctx.database.background },
});

/**
 * Declares a value that one module keeps between calls, created when the process first needs it. It hangs on the context
 * because Next bundles its own copy of every module: a variable of the module would exist twice in a process.
 * @param name the value's own among all of these
 */
export const perProcess =
  <Value>(name: string, create: (ctx: Context) => Value) =>
  (ctx: Context): Value => {
    const { memory } = ctx;
    if (!memory.has(name)) memory.set(name, create(ctx));
    return memory.get(name) as Value;
  };

/** The promise itself is kept, so that two first callers open one context. */
interface Holder {
  [place]?: Promise<Context>;
}

const place = Symbol.for("adjutant.context");
const holder = globalThis as typeof globalThis & Holder;

/** The process's context, where something has asked for it. It opens none, and loads nothing of what one is made of. */
export const heldContext = (): Promise<Context> | undefined => holder[place];

/** Makes it the process's context; one that could not be opened is forgotten. */
export function holdContext(context: Promise<Context>): Promise<Context> {
  holder[place] = context;
  context.catch(() => forgetContext(context));
  return context;
}

/** Takes it away again, where it is still the process's. */
export function forgetContext(context: Promise<Context>): void {
  if (holder[place] === context) delete holder[place];
}
