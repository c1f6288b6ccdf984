import type { Database, Queryable } from "#db/client";
import type { RequestTiming } from "#db/expressions";
import type { SimulatorControl } from "#simulator/simulator";
import type { Actor, TokenHolder } from "./actor";
import type { AuditedAct, AuditFacts } from "./audit/audit";
import type { ChatClient } from "./chat/client";
import type { Sequencer } from "./event-log/sequencer";
import type { EventFeed } from "./events/feed";
import type { GameClient } from "./game/client";
import type { Presence } from "./health/presence";
import type { RegisteredClient } from "./oauth/clients/store";
import type { Settings } from "./platform/env";
import type { Ids } from "./platform/ids";
import type { Keyring } from "./platform/keyring";
import type { Limiter } from "./platform/limiter/limiter";
import type { Log } from "./platform/log";
import type { Metrics } from "./platform/metrics";
import type { AnsweredCall } from "./rest/store";
import type { ScopeName } from "./scopes";
import type { PlayerRecord } from "./users/player";
import type { OutboundClient } from "./webhooks/send-attempt";

export interface Authentication {
  readonly actor: TokenHolder;
  readonly withheld?: readonly ScopeName[] | undefined;
  /** Paused by the player, or suspended with its application. */
  readonly status: "active" | "paused" | "suspended";
  /** Up to 0.8 seconds old, so it is for answers, never for decisions. */
  readonly player: PlayerRecord;
  readonly expiresAt: Date;
}

/** Every instance drops the cached entries under this id. */
export type Revocation =
  | { readonly grantId: string }
  | { readonly consentId: string }
  | { readonly clientId: string }
  | { readonly accountId: string }
  /** The faction decided about applications. */
  | { readonly factionId: number };

export interface TokenService {
  readonly authenticate: (token: string) => Promise<Authentication | undefined>;
  readonly findClient: (clientId: string) => Promise<RegisteredClient | undefined>;
  /** Drops this instance's entries; others expire within a second. */
  readonly forget: (changed: Revocation | { readonly playerId: number }) => void;
  /** Sent when the transaction commits. */
  readonly announceRevocation: (on: Queryable, revocation: Revocation) => Promise<void>;
  /** For a statement that must not run after its caller's deadline. */
  readonly requestTime: () => RequestTiming;
}

/** `isRead` if the notice is about the player's own act. */
export interface NewNotice {
  readonly accountId: string;
  readonly kind: string;
  readonly text: string;
  readonly path?: string | undefined;
  readonly isRead?: true;
}

export interface Context {
  readonly settings: Settings;
  readonly database: Database;
  readonly now: () => Date;
  readonly ids: Ids;
  readonly keyring: Keyring;
  readonly limiter: Limiter;
  readonly game: GameClient & {
    readonly control?: SimulatorControl | undefined;
  };
  readonly chat: ChatClient;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tokens: TokenService;
  readonly audit: (
    on: Queryable,
    by: Actor,
    act: AuditedAct,
    facts?: AuditFacts | readonly AuditFacts[],
  ) => Promise<void>;
  /** Shared by all streams and waiting calls. */
  readonly events: { readonly sequencer: Sequencer; readonly feed: EventFeed };
  /** Calls hosts that developers choose. */
  readonly outgoing: OutboundClient;
  /** Sends by chat and webhook too, if the player chose that. */
  readonly notify: (on: Queryable, notices: NewNotice | readonly NewNotice[]) => Promise<void>;
  readonly logRequest: (call: AnsweredCall) => void;
  readonly memory: Map<string, unknown>;
  readonly presence: Presence;
  /** Runs after the answer; failures are logged. */
  readonly defer: (work: () => Promise<void>) => void;
  readonly settled: () => Promise<void>;
  /** @param timeout milliseconds for jobs, deferred work and the request log */
  readonly close: (timeout?: number) => Promise<void>;
}

/** Jobs have longer deadlines and connections of their own. */
export const backgroundContextOf = (ctx: Context): Context => ({
  ...ctx,
  database: { ...ctx.database, ...ctx.database.background },
});

/**
 * Next bundles a copy of every module, so a module variable would exist twice.
 * @param name unique
 */
export const perProcess =
  <Value>(name: string, create: (ctx: Context) => Value) =>
  (ctx: Context): Value => {
    const { memory } = ctx;
    if (!memory.has(name)) memory.set(name, create(ctx));
    return memory.get(name) as Value;
  };

/** A promise, so that two concurrent first callers open one context. */
interface Holder {
  [place]?: Promise<Context>;
}

const place = Symbol.for("adjutant.context");
const holder = globalThis as typeof globalThis & Holder;

/** Neither opens a context nor loads its modules. */
export const peekContext = (): Promise<Context> | undefined => holder[place];

export function holdContext(context: Promise<Context>): Promise<Context> {
  holder[place] = context;
  context.catch(() => forgetContext(context));
  return context;
}

export function forgetContext(context: Promise<Context>): void {
  if (holder[place] === context) delete holder[place];
}
