import { setTimeout as wait } from "node:timers/promises";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { drizzle as drizzlePostgres } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { hourMs, secondMs } from "#server/platform/time";
import { parseAddress } from "./address";
import { assertSameDatabase, tryLock } from "./advisory-lock";
import { type Connections, openConnections, type PoolState } from "./connections";
import { retryConflict } from "./error-codes";
import { keepParametersOutOfErrors } from "./failed-query";
import { type Hints, openHints } from "./hints";
import { openListener } from "./listener";
import { type Outages, openOutages } from "./outages";
import { alwaysByIndex, type PoolSizes, parametersFor, usualPoolSizes } from "./pool-settings";
import * as schema from "./schema/index";
import { sweepTogether } from "./sweep-together";

export type Schema = typeof schema;

export type Queryable = PgDatabase<PgQueryResultHKT, Schema>;

export interface Access {
  readonly query: Queryable;
  /** Inside, use only the handle that is passed in: PGlite hangs otherwise. */
  readonly transaction: Transaction;
}

/**
 * On PostgreSQL each statement and transaction has a deadline, after which its connection is
 * destroyed and the error satisfies `isConnectionLost`. Conflicts (40001, 40P01) are retried once.
 */
export interface Database {
  readonly kind: "postgres" | "pglite";
  /** General pool. A full queue or a long wait throws PoolBusy. */
  readonly query: Queryable;
  /**
   * Point lookups by key: one pipelined connection, which no slow list can block. Never open a
   * transaction on it.
   */
  readonly keyPool: Queryable;
  readonly transaction: Transaction;
  /** Separate, so that slow lists cannot block the token endpoint. */
  readonly tokenPool: Access;
  /** A longer deadline, for jobs and bulk acts. */
  readonly background: Access & Pick<Database, "statement">;
  /** Prepared once per handle under its name; `build` must end in `.prepare(name)`. */
  statement<S>(name: string, build: (on: Handles) => S): S;
  /** Plain SQL without parameters, several statements allowed: only for migrations and tests. */
  script(sql: string): Promise<void>;
  readonly outages: Pick<Outages, "lasting" | "settledBefore">;
  pools(): Readonly<Record<string, PoolState>>;
  serverTime(): Promise<Date>;
  /** Sent after the commit if `on` is a transaction. Failures do not reach the caller. */
  notify(on: Queryable, channel: string, payload: string): void;
  readonly hints: Hints;
  /**
   * `onDrop` means that messages may be missing. Rejects if the first attempt fails, and keeps
   * retrying. On PGlite only this process is heard.
   */
  listen(channel: string, onMessage: (payload: string) => void, onDrop: () => void): Promise<void>;
  /**
   * Excludes all other processes by an advisory lock. Work on the passed handle may take an hour.
   * @throws WrongSetting if the address past a pooler leads to another database
   */
  exclusively<T>(
    lock: number,
    work: (held: Access & Pick<Database, "script">) => Promise<T>,
  ): Promise<T>;
  /**
   * A consistent, packed copy of the embedded database's files; PostgreSQL has its own programs for
   * that.
   */
  readonly dump?: () => Promise<Blob>;
  close(): Promise<void>;
}

type Transaction = <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;

export type Handles = Pick<Database, "query" | "keyPool" | "tokenPool">;

export interface PostgresOptions {
  readonly url: string;
  /** The same database past a pooler: for `LISTEN` and session locks. */
  readonly directUrl?: string | undefined;
  readonly pools?: Partial<PoolSizes>;
  /** Milliseconds, for requests. */
  readonly deadline?: number;
  /** Milliseconds, for jobs. */
  readonly jobDeadline?: number;
  /**
   * For serverless platforms, which start hundreds of processes and freeze them: one connection for
   * calls, one for jobs, no listener.
   */
  readonly single?: boolean;
}

const [usualDeadline, usualJobDeadline] = [4 * secondMs, 30 * secondMs];
const exclusiveDeadline = hourMs;
const lockPause = secondMs / 5;
const goodbye = 2 * secondMs;
/** Sweeps per deadline. */
const looks = 16;

/** Milliseconds after which a connection of a process that may have been frozen is not trusted. */
const mostIdle = 5 * secondMs;
/** With more statements on one connection, a retry costs a caller less than waiting. */
const mostPipelined = 500;

keepParametersOutOfErrors();

export const schemaOptions = { schema, casing: "snake_case" } as const;

/** Connects on first use. */
export function openPostgres(options: PostgresOptions): Database {
  const { url, directUrl, single = false } = options;
  const { deadline = usualDeadline, jobDeadline = usualJobDeadline } = options;
  const outages = openOutages();
  // Never connects: drizzle writes its codecs into this driver's options.
  const template = postgres({ max: 1 });
  const address = parseAddress(url);
  const pooled = directUrl !== undefined || address.pooled;
  const servers = { address, preferred: 0, pooled };
  const direct =
    directUrl === undefined || directUrl === url
      ? servers
      : { address: parseAddress(directUrl, "DATABASE_DIRECT_URL"), preferred: 0 };
  const sizes = { ...usualPoolSizes(servers), ...options.pools };
  const usual = { servers, outages, deadline, parameters: parametersFor(deadline) };
  const idle = single ? { mostIdle } : {};
  const general = openConnections(
    { ...usual, ...idle, size: single ? 1 : sizes.general },
    template,
  );
  const keyed = {
    servers,
    outages,
    deadline,
    pipelined: mostPipelined,
    parameters: { ...parametersFor(deadline), ...alwaysByIndex },
  };
  const tokenPool = single ? general : openConnections({ ...keyed, size: sizes.token }, template);
  const keyPool = single
    ? general
    : openConnections({ ...keyed, size: sizes.key, keepIdle: true }, template);
  const backgroundPool = openConnections(
    {
      ...{ servers, outages, ...idle },
      size: single ? 1 : sizes.job,
      deadline: jobDeadline,
      parameters: {
        ...parametersFor(jobDeadline),
        // A frozen process must not hold the locks of all others for longer than a call may take.
        idle_in_transaction_session_timeout: deadline + secondMs,
      },
    },
    template,
  );
  const listener = single ? undefined : openListener({ ...usual, servers: direct }, template);
  const pools = new Set<Connections>([general, tokenPool, keyPool, backgroundPool]);
  if (listener) pools.add(listener.connections);
  const stop = sweepTogether(pools, deadline / looks);
  // Over the listener's connection: NOTIFY may wait for other senders and must not delay a call.
  const { driver: sender } = listener?.connections ?? general;
  const hints = openHints((channel, payload) =>
    sender.unsafe("select pg_notify($1, $2)", [channel, payload]),
  );
  const { query, transaction } = accessTo(general);
  const background = accessTo(backgroundPool);
  const shared = { keyPool: accessTo(keyPool).query, tokenPool: accessTo(tokenPool) };
  return {
    kind: "postgres",
    query,
    transaction,
    ...shared,
    background: { ...background, statement: statements({ ...shared, query: background.query }) },
    statement: statements({ ...shared, query }),
    outages,
    pools: () => ({
      general: general.state(),
      key: keyPool.state(),
      token: tokenPool.state(),
      background: backgroundPool.state(),
    }),
    script: scriptOn(general),
    serverTime: async () => {
      // As a number, because drizzle turns off the driver's own parsing of times.
      const [row] = await keyPool.driver.unsafe<{ ms: number }[]>(
        "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
      );
      return new Date(row?.ms ?? Number.NaN);
    },
    notify: (on, channel, payload) => sendAfterCommit(on, hints, { channel, payload }),
    hints,
    listen: listener?.listen ?? (async (_channel, _hear, onDrop) => onDrop()),
    exclusively: async (lock, work) => {
      // Its own connection, because the lock belongs to it.
      const holder = openConnections(
        {
          servers: direct,
          outages,
          size: 1,
          deadline,
          parameters: parametersFor(exclusiveDeadline),
          keepIdle: true,
        },
        template,
      );
      pools.add(holder);
      try {
        while (!(await tryLock(holder.driver, lock))) await wait(lockPause);
        if (directUrl !== undefined) await assertSameDatabase(general.driver, lock);
        holder.deadline = exclusiveDeadline;
        return await work({ ...accessTo(holder), script: scriptOn(holder) });
      } finally {
        // Closing the connection releases the lock even if unlocking would fail.
        pools.delete(holder);
        await holder.close(goodbye);
      }
    },
    close: async () => {
      await Promise.all([...pools].map((pool) => pool.close(goodbye)));
      stop();
    },
  };
}

function accessTo({ driver }: Connections): Access {
  const query = drizzlePostgres(driver as postgres.Sql, schemaOptions) as unknown as Queryable;
  return { query, transaction: transactionOn(query) };
}

const scriptOn =
  ({ driver }: Connections): Database["script"] =>
  async (text) => {
    await driver.unsafe(text);
  };

const followUps = Symbol("follow-ups");

/** Runs `act` after the commit, never after a rollback; at once if `on` is no transaction. */
export function afterCommit(on: Queryable, act: () => void): void {
  const acts = (on as { [followUps]?: (() => void)[] })[followUps];
  if (acts) acts.push(act);
  else act();
}

export const transactionOn =
  (handle: Queryable): Transaction =>
  async (work) => {
    const { result, acts } = await retryConflict(async () => {
      const following: (() => void)[] = [];
      const done = await handle.transaction((tx) => {
        return work(Object.assign(tx as unknown as Queryable, { [followUps]: following }));
      });
      return { result: done, acts: following };
    });
    for (const act of acts) act();
    return result;
  };

export function statements(on: Handles): Database["statement"] {
  const prepared = new Map<string, unknown>();
  return <S>(name: string, build: (handles: Handles) => S): S => {
    let statement = prepared.get(name);
    if (statement === undefined) {
      statement = build(on);
      prepared.set(name, statement);
    }
    return statement as S;
  };
}

export function sendAfterCommit(
  on: Queryable,
  hints: Hints,
  { channel, payload }: { readonly channel: string; readonly payload: string },
): void {
  afterCommit(on, () => void hints.send(channel, payload).catch(() => {}));
}
