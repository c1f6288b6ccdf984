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

/** Anything that runs queries: the handle or an open transaction. Stores take this. */
export type Queryable = PgDatabase<PgQueryResultHKT, Schema>;

/** Queries and transactions. */
export interface Access {
  readonly query: Queryable;
  /** Runs `work` in a transaction. Inside, use only the handle that is passed in: PGlite hangs otherwise. */
  readonly transaction: Transaction;
}

/**
 * The one data layer, over PostgreSQL or embedded PGlite. On PostgreSQL each statement and each transaction has a deadline:
 * past it the connection is destroyed and the caller gets an error that `isConnectionLost` knows. A statement or a transaction
 * that PostgreSQL ended because of another (40001, 40P01) is run once more.
 */
export interface Database {
  readonly kind: "postgres" | "pglite";
  /**
   * The general pool: transactions, writes, lists. A caller that waits too long for a connection, or in too long a queue, gets
   * PoolBusy, which `isConnectionLost` knows.
   */
  readonly query: Queryable;
  /**
   * Point lookups by key. On PostgreSQL a pool of one connection: it pipelines, and a slow list cannot block it.
   * Never open a transaction on it.
   */
  readonly keyPool: Queryable;
  readonly transaction: Transaction;
  /** The token endpoint's own pool: no slow list elsewhere may keep a client from its tokens. */
  readonly tokenPool: Access;
  /** A pool with a longer deadline, for jobs and for acts on many rows; and statements that run on it instead of the general pool. */
  readonly background: Access & Pick<Database, "statement">;
  /** A statement prepared once per handle under its name; `build` must end in `.prepare(name)`. */
  statement<S>(name: string, build: (on: Handles) => S): S;
  /** Plain SQL without parameters, several statements allowed: migrations and tests, nothing else. */
  script(sql: string): Promise<void>;
  /** The times in which the database did not answer, as this process saw it. */
  readonly outages: Pick<Outages, "lasting" | "settledBefore">;
  /** How the pools of this process are used, by name; none on PGlite. */
  pools(): Readonly<Record<string, PoolState>>;
  /** The database's own time, the clock that all instances share. */
  serverTime(): Promise<Date>;
  /** Sends a hint to all processes on this database: after the commit, where `on` is a transaction. Its failure is none of the caller's. */
  notify(on: Queryable, channel: string, payload: string): void;
  readonly hints: Hints;
  /**
   * Hears what others tell. `onDrop` is called whenever the connection was lost and messages may be missing. Where the first attempt
   * fails it rejects, and goes on trying. On PGlite there are no others, and only this process is heard.
   */
  listen(channel: string, onMessage: (payload: string) => void, onDrop: () => void): Promise<void>;
  /**
   * Runs `work` while holding an advisory lock that excludes every other process on this database. What it does through
   * the handle that is passed in may take an hour. @throws WrongSetting where the address past a pooler leads to another database
   */
  exclusively<T>(
    lock: number,
    work: (held: Access & Pick<Database, "script">) => Promise<T>,
  ): Promise<T>;
  /** The embedded database's files as they are at one moment, packed; PostgreSQL has programs of its own for that. */
  readonly dump?: () => Promise<Blob>;
  close(): Promise<void>;
}

type Transaction = <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;

/** The handles that a prepared statement may run on. */
export type Handles = Pick<Database, "query" | "keyPool" | "tokenPool">;

export interface PostgresOptions {
  readonly url: string;
  /** The same database past a pooler that keeps no session: for `LISTEN`, and for locks of a session. */
  readonly directUrl?: string | undefined;
  readonly pools?: Partial<PoolSizes>;
  /** Milliseconds for a statement or a transaction that somebody waits for. */
  readonly deadline?: number;
  /** Milliseconds for one of a job. */
  readonly jobDeadline?: number;
  /**
   * One connection for all calls, another for jobs where they run, and nothing is heard: for a platform that starts hundreds of
   * processes, stops each between two calls, and may have cut its connections by the next.
   */
  readonly single?: boolean;
}

const [usualDeadline, usualJobDeadline] = [4 * secondMs, 30 * secondMs];
const exclusiveDeadline = hourMs;
/** How often somebody who waits for an advisory lock asks for it. */
const lockPause = secondMs / 5;
const goodbye = 2 * secondMs;
/** Deadlines are looked at so many times before they pass. */
const looks = 16;

/** Milliseconds after which a connection of a process that may have been stopped meanwhile is not trusted. */
const mostIdle = 5 * secondMs;
/** Beyond so many statements on one connection, coming back costs a caller less than waiting. */
const mostPipelined = 500;

keepParametersOutOfErrors();

export const schemaOptions = { schema, casing: "snake_case" } as const;

/** Connections are made on first use. */
export function openPostgres(options: PostgresOptions): Database {
  const { url, directUrl, single = false } = options;
  const { deadline = usualDeadline, jobDeadline = usualJobDeadline } = options;
  const outages = openOutages();
  // It never connects: drizzle writes into its options how values leave and arrive.
  const template = postgres({ max: 1 });
  const address = parseAddress(url);
  const pooled = directUrl !== undefined || address.pooled;
  const servers = { address, preferred: 0, pooled };
  const direct =
    directUrl === undefined
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
      parameters: parametersFor(jobDeadline),
    },
    template,
  );
  const listener = single ? undefined : openListener({ ...usual, servers: direct }, template);
  const pools = new Set<Connections>([general, tokenPool, keyPool, backgroundPool]);
  if (listener) pools.add(listener.connections);
  const stop = sweepTogether(pools, deadline / looks);
  // Over the connection that listens: a message may wait for other senders, and must not keep a call waiting.
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
      // As a number: drizzle turns off the driver's own parsing of times.
      const [row] = await keyPool.driver.unsafe<{ ms: number }[]>(
        "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
      );
      return new Date(row?.ms ?? Number.NaN);
    },
    notify: (on, channel, payload) => sendAfterCommit(on, hints, { channel, payload }),
    hints,
    listen: listener?.listen ?? (async (_channel, _hear, onDrop) => onDrop()),
    exclusively: async (lock, work) => {
      // A connection of its own, because the lock belongs to it.
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
        // Ending the connection lets go of the lock, also where unlocking would fail.
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

/** On the handle of an open transaction: what follows its commit. */
const followUps = Symbol("follow-ups");

/** Calls `act` once the transaction has committed, never where it is rolled back; at once where `on` is no transaction. */
export function afterCommit(on: Queryable, act: () => void): void {
  const acts = (on as { [followUps]?: (() => void)[] })[followUps];
  if (acts) acts.push(act);
  else act();
}

/** Transactions on a handle, each once more where another was in its way. */
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

/** Prepared statements of a database, each made at its first use. */
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
