import type { Database, Queryable } from "#db/client";
import type { Actor, TokenHolder } from "./actor";
import type { AuditEvent } from "./audit/audit";
import type { GameClient } from "./game/client";
import type { Keyring } from "./platform/crypto/keyring";
import type { Settings } from "./platform/env";
import type { Ids } from "./platform/ids";
import type { Limiter } from "./platform/limiter/limiter";
import type { Log } from "./platform/log";
import type { RequestLogLine } from "./rest/request-log";

export type { Actor };

/** What an access token stands for, or undefined when it is unknown, expired or revoked. */
export interface Authentication {
  readonly actor: TokenHolder;
  /** Paused by the player, or suspended with its application: known, but not let through. */
  readonly standing: "active" | "paused" | "suspended";
}

/** Whose rights ended. Every instance drops what it remembers of them. */
export type Revocation =
  | { readonly grantId: string }
  | { readonly consentId: string }
  | { readonly clientId: string }
  | { readonly accountId: string };

/** All that a verb may reach besides its input. Built once per process by the composition root. */
export interface Context {
  readonly settings: Settings;
  readonly database: Database;
  readonly now: () => Date;
  readonly ids: Ids;
  readonly keyring: Keyring;
  readonly limiter: Limiter;
  readonly game: GameClient;
  readonly log: Log;
  /** Who holds this bearer token. */
  readonly authenticate: (token: string) => Promise<Authentication | undefined>;
  /** Tells every instance that somebody's rights ended. In a transaction, at its commit. */
  readonly announceRevocation: (on: Queryable, revocation: Revocation) => Promise<void>;
  /** Appends to the audit log; in a transaction it stands or falls with the act. */
  readonly audit: (on: Queryable, event: AuditEvent) => Promise<void>;
  /** Leaves a notice for an account in the portal. */
  readonly notify: (on: Queryable, accountId: string, notice: { kind: string; text: string }) => Promise<void>;
  /** Queues a line of the request log; written in batches. */
  readonly logRequest: (line: RequestLogLine) => void;
  /** Runs work after the answer; its failure is logged. Awaited when the process drains, and by tests through `settled`. */
  readonly defer: (work: () => Promise<void>) => void;
  /** Resolves when all deferred work and queued log lines are done. */
  readonly settled: () => Promise<void>;
  /** Whether jobs, database and limiter work; for /health/ready. */
  readonly close: () => Promise<void>;
}
