import { setTimeout as wait } from "node:timers/promises";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { drizzle as drizzlePostgres } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { wrongSetting } from "#server/platform/start-fault";
import { hourMs, secondMs } from "#server/platform/time";
import { parseAddress } from "./address";
import {
  type ConnectionPool,
  type ConnectionPoolOptions,
  type Driver,
  openConnectionPool,
  type PoolState,
  startDeadlineTimer,
} from "./connections";
import { keepParametersOutOfErrors, retryConflict } from "./error-codes";
import { createHintSender, type HintSender, openListener } from "./hints";
import { createOutageLog, type OutageLog } from "./outages";
import {
  defaultPoolSizesFor,
  indexScanSettings,
  type PoolSizes,
  parametersFor,
} from "./pool-settings";

export type Queryable = PgDatabase<PgQueryResultHKT>;

export interface DatabaseAccess {
  readonly query: Queryable;
  /** PGlite hangs if the work uses another handle than the one passed to it. */
  readonly transaction: Transaction;
}

/** A missed deadline destroys the connection; `isConnectionLost` matches the error. */
export interface Database {
  readonly kind: "postgres" | "pglite";
  /** The general pool. A full queue or a long wait throws POOL_BUSY. */
  readonly query: Queryable;
  /** Point lookups by key. Statements are pipelined, so never open a transaction here. */
  readonly keyPool: Queryable;
  readonly transaction: Transaction;
  /** A pool of its own, so that slow lists cannot block the token endpoint. */
  readonly tokenPool: DatabaseAccess;
  /** For jobs and bulk acts, with a longer deadline. */
  readonly background: DatabaseAccess & Pick<Database, "statement">;
  /** Caches the statement by name; `build` must end in `.prepare(name)`. */
  statement<S>(name: string, build: (on: PoolHandles) => S): S;
  /** Runs several statements without parameters. Only for migrations and tests. */
  script(sql: string): Promise<void>;
  readonly outages: Pick<OutageLog, "lasting" | "settledBefore">;
  pools(): Readonly<Record<string, PoolState>>;
  serverTime(): Promise<Date>;
  /** In a transaction, sends after the commit. Failures do not reach the caller. */
  notify(on: Queryable, channel: string, payload: string): void;
  readonly hints: HintSender;
  /** Retries even if the first attempt rejects. `onDrop` is called when messages may be missing. */
  listen(channel: string, onMessage: (payload: string) => void, onDrop: () => void): Promise<void>;
  /**
   * `work` may take an hour, while its connection holds an advisory lock.
   * @throws WrongSetting if the address past a pooler leads to another database
   */
  exclusively<T>(
    lock: number,
    work: (held: DatabaseAccess & Pick<Database, "script">) => Promise<T>,
  ): Promise<T>;
  /** A consistent copy of the embedded database's files (tar.gz). */
  readonly dump?: () => Promise<Blob>;
  close(): Promise<void>;
}

type Transaction = <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;

export type PoolHandles = Pick<Database, "query" | "keyPool" | "tokenPool">;

export interface PostgresOptions {
  readonly url: string;
  /** Bypasses a pooler, for `LISTEN` and session locks. */
  readonly directUrl?: string | undefined;
  readonly pools?: Partial<PoolSizes>;
  /** Milliseconds. */
  readonly deadline?: number;
  /** Milliseconds. */
  readonly jobDeadline?: number;
  /** For serverless platforms: one connection for calls, one for jobs, no listener. */
  readonly single?: boolean;
}

const [usualDeadline, usualJobDeadline] = [4 * secondMs, 30 * secondMs];
const exclusiveDeadline = hourMs;
const lockPause = secondMs / 5;
const goodbye = 2 * secondMs;
const sweepsPerDeadline = 16;

/**
 * Milliseconds. A process that may have been frozen does not trust a connection idle for longer.
 */
const mostIdle = 5 * secondMs;
/** With more statements on one connection, a retry costs a caller less than waiting. */
const mostPipelined = 500;

keepParametersOutOfErrors();

export const columnCasing = { casing: "snake_case" } as const;

export function openPostgres(options: PostgresOptions): Database {
  const { url, directUrl, single = false } = options;
  const { deadline = usualDeadline, jobDeadline = usualJobDeadline } = options;
  const outages = createOutageLog();
  // This driver never connects. Drizzle writes its codecs into the driver's options.
  const template = postgres({ max: 1 });
  const address = parseAddress(url);
  const servers = { address, preferred: 0, pooled: directUrl !== undefined || address.pooled };
  const direct =
    directUrl === undefined || directUrl === url
      ? servers
      : { address: parseAddress(directUrl, "DATABASE_DIRECT_URL"), preferred: 0 };
  const sizes = { ...defaultPoolSizesFor(servers), ...options.pools };
  const parameters = parametersFor(deadline);
  const usual = { servers, outages, deadline, parameters };
  const pool = (own: Partial<ConnectionPoolOptions> & { readonly size: number }) =>
    openConnectionPool({ ...usual, ...own }, template);
  const idle = single ? { mostIdle } : {};
  const general = pool({ ...idle, size: single ? 1 : sizes.general });
  const keyed = { pipelined: mostPipelined, parameters: { ...parameters, ...indexScanSettings } };
  const tokenPool = single ? general : pool({ ...keyed, size: sizes.token });
  const keyPool = single ? general : pool({ ...keyed, size: sizes.key, keepIdle: true });
  const backgroundPool = pool({
    ...idle,
    size: single ? 1 : sizes.job,
    deadline: jobDeadline,
    parameters: {
      ...parametersFor(jobDeadline),
      // A frozen process must not hold locks for longer than a call may take.
      idle_in_transaction_session_timeout: deadline + secondMs,
    },
  });
  const listener = single ? undefined : openListener({ ...usual, servers: direct }, template);
  const pools = new Set<ConnectionPool>([general, tokenPool, keyPool, backgroundPool]);
  if (listener) pools.add(listener.connections);
  const stop = startDeadlineTimer(pools, deadline / sweepsPerDeadline);
  // NOTIFY may wait for other senders and must not delay a call.
  const { driver: sender } = listener?.connections ?? general;
  const hints = createHintSender((channel, payload) =>
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
    background: {
      ...background,
      statement: createStatementCache({ ...shared, query: background.query }),
    },
    statement: createStatementCache({ ...shared, query }),
    outages,
    pools: () => ({
      general: general.state(),
      key: keyPool.state(),
      token: tokenPool.state(),
      background: backgroundPool.state(),
    }),
    script: scriptOn(general),
    serverTime: async () => {
      // Selects a number, because drizzle turns off the driver's parsing of times.
      const [row] = await keyPool.driver.unsafe<{ ms: number }[]>(
        "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
      );
      return new Date(row?.ms ?? Number.NaN);
    },
    notify: (on, channel, payload) => sendAfterCommit(on, hints, { channel, payload }),
    hints,
    listen: listener?.listen ?? (async (_channel, _hear, onDrop) => onDrop()),
    exclusively: async (lock, work) => {
      // The lock belongs to this pool's single connection.
      const holder = pool({
        servers: direct,
        size: 1,
        parameters: parametersFor(exclusiveDeadline),
        keepIdle: true,
      });
      pools.add(holder);
      try {
        while (!(await tryLock(holder.driver, lock))) await wait(lockPause);
        if (directUrl !== undefined) await assertSameDatabase(general.driver, lock);
        holder.deadline = exclusiveDeadline;
        return await work({ ...accessTo(holder), script: scriptOn(holder) });
      } finally {
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

function accessTo({ driver }: ConnectionPool): DatabaseAccess {
  const query = drizzlePostgres(driver as postgres.Sql, columnCasing) as unknown as Queryable;
  return { query, transaction: createTransactionRunner(query) };
}

const scriptOn =
  ({ driver }: ConnectionPool): Database["script"] =>
  async (text) => {
    await driver.unsafe(text);
  };

const followUps = Symbol("follow-ups");

export function afterCommit(on: Queryable, act: () => void): void {
  const acts = (on as { [followUps]?: (() => void)[] })[followUps];
  if (acts) acts.push(act);
  else act();
}

export const createTransactionRunner =
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

export function createStatementCache(on: PoolHandles): Database["statement"] {
  const prepared = new Map<string, unknown>();
  return <S>(name: string, build: (handles: PoolHandles) => S): S => {
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
  hints: HintSender,
  { channel, payload }: { readonly channel: string; readonly payload: string },
): void {
  afterCommit(on, () => void hints.send(channel, payload).catch(() => {}));
}

async function tryLock({ unsafe }: Driver, lock: number): Promise<boolean> {
  const [row] = await unsafe<{ held: boolean }[]>(
    "select pg_try_advisory_lock($1::bigint) as held",
    [lock],
  );
  return row?.held === true;
}

/** Advisory locks are re-entrant, so taking this lock would prove nothing. @throws WrongSetting */
async function assertSameDatabase({ unsafe }: Driver, lock: number): Promise<void> {
  const [row] = await unsafe<{ held: boolean }[]>(
    `select exists (
       select from pg_locks
       where locktype = 'advisory' and objsubid = 1 and granted
         and database = (select oid from pg_database where datname = current_database())
         and (classid::bigint << 32) | objid::bigint = $1::bigint
     ) as held`,
    [lock],
  );
  if (!row?.held)
    throw wrongSetting(
      "DATABASE_DIRECT_URL is wrong: it leads to another database than DATABASE_URL. Both must name the same one, the first past the pooler.",
    );
}
