import type { PGlite } from "@electric-sql/pglite";
import { sql } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { drizzle as drizzlePglite } from "drizzle-orm/pglite";
import { drizzle as drizzlePostgres } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { connectionQueue } from "./connection-queue";
import * as schema from "./schema/index";

export type Schema = typeof schema;

/** Anything that runs queries: the handle or an open transaction. Stores take this. */
export type Queryable = PgDatabase<PgQueryResultHKT, Schema>;

/** The one data layer, over PostgreSQL or embedded PGlite. */
export interface Database {
  readonly kind: "postgres" | "pglite";
  /**
   * The general pool: transactions, writes, lists. Whoever waits too long for a connection, or in too long a queue, gets
   * PoolBusy, which `isConnectionLost` knows.
   */
  readonly query: Queryable;
  /**
   * Point lookups by key. On PostgreSQL a pool of one connection: it pipelines, and a slow list cannot block it.
   * Never open a transaction on it.
   */
  readonly lookup: Queryable;
  /** Runs `work` in a transaction of the general pool. Inside, use only the handle that is passed in: PGlite hangs otherwise. */
  readonly transaction: Transaction;
  /** The token endpoint's own pool: no slow list elsewhere may keep a client from its tokens. */
  readonly urgent: { readonly query: Queryable; readonly transaction: Transaction };
  /** A statement prepared once per handle under its name; `build` must end in `.prepare(name)`. */
  statement<S>(name: string, build: (on: Handles) => S): S;
  /** Plain SQL without parameters, several statements allowed: migrations and health, nothing else. */
  script(sql: string): Promise<void>;
  /** The database's own time, the clock that all instances share. */
  serverTime(): Promise<Date>;
  /** Tells other processes on this database something. Within a transaction it is sent at commit. */
  notify(on: Queryable, channel: string, payload: string): Promise<void>;
  /**
   * Hears what others tell. `onDrop` is called whenever the connection was lost and messages may be missing.
   * On PGlite there are no others, and only this process is heard.
   */
  listen(channel: string, hear: (payload: string) => void, onDrop: () => void): Promise<void>;
  /** Runs `work` while holding an advisory lock that excludes every other process on this database. */
  exclusively<T>(lock: number, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

type Transaction = <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;

/** What a prepared statement may run on. */
export type Handles = Pick<Database, "query" | "lookup" | "urgent">;

export interface PostgresOptions {
  readonly url: string;
  /** Connections of the general pool. */
  readonly poolSize?: number;
  /** Milliseconds after which PostgreSQL ends a statement. */
  readonly statementTimeout?: number;
}

/** Statements of the token endpoint take a millisecond, and share these connections by pipelining. */
const urgentConnections = 4;

const schemaOptions = { schema, casing: "snake_case" } as const;

/**
 * A prepared statement keeps the plan of its first runs. Made while the tables were empty, it would read them whole for every
 * lookup once they have grown, until PostgreSQL looks at them again. So tables are joined in the order written, by index.
 */
const alwaysByIndex = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  join_collapse_limit: 1,
};

/** Opens PostgreSQL through postgres.js. Connections are made on first use. */
export function openPostgres(options: PostgresOptions): Database {
  const { url, poolSize = 8, statementTimeout = 10_000 } = options;
  const common = {
    connect_timeout: 5,
    onnotice: () => {},
    // Times leave and arrive as UTC, whatever the server's zone.
    connection: { application_name: "adjutant", statement_timeout: statementTimeout, TimeZone: "UTC" },
  };
  const general = queued(postgres(url, { ...common, max: poolSize, idle_timeout: 60 }), poolSize);
  const keyed = { ...common, connection: { ...common.connection, ...alwaysByIndex } };
  const hurried = postgres(url, { ...keyed, max: urgentConnections, idle_timeout: 60 });
  const points = postgres(url, { ...keyed, max: 1 });
  const query = drizzlePostgres(general, schemaOptions) as unknown as Queryable;
  const lookup = drizzlePostgres(points, schemaOptions) as unknown as Queryable;
  const hurriedQuery = drizzlePostgres(hurried, schemaOptions) as unknown as Queryable;
  const urgent = { query: hurriedQuery, transaction: transactionOn(hurriedQuery) };
  let listener: postgres.Sql | undefined;
  return {
    kind: "postgres",
    query,
    lookup,
    transaction: transactionOn(query),
    urgent,
    statement: statements({ query, lookup, urgent }),
    script: async (sql) => {
      await general.unsafe(sql);
    },
    serverTime: async () => {
      // As a number: drizzle turns off the driver's own parsing of times.
      const [row] = await points<{ ms: number }[]>`select (extract(epoch from now()) * 1000)::float8 as ms`;
      return new Date(row?.ms ?? Number.NaN);
    },
    notify: async (on, channel, payload) => {
      await on.execute(notifySql(channel, payload));
    },
    listen: async (channel, hear, onDrop) => {
      listener ??= postgres(url, { ...common, max: 1, onclose: onDrop });
      await listener.listen(channel, hear, onDrop);
    },
    exclusively: async (lock, work) => {
      // A connection of its own: the lock belongs to it, and waiting for the lock must not be ended by the statement time-out.
      const holder = postgres(url, { ...common, max: 1, connection: { ...common.connection, statement_timeout: 0 } });
      try {
        await holder`select pg_advisory_lock(${lock})`;
        return await work();
      } finally {
        // Ending the connection lets go of the lock, also where unlocking would fail.
        await holder.end({ timeout: 5 });
      }
    },
    close: async () => {
      await Promise.all([general, hurried, points, listener].map((pool) => pool?.end({ timeout: 5 })));
    },
  };
}

/** Lets everything that the data layer asks of a pool wait in a bounded queue. Within a transaction nothing waits again. */
function queued(pool: postgres.Sql, connections: number): postgres.Sql {
  const queue = connectionQueue(connections);
  const { unsafe, begin } = pool;
  const run = (...args: Parameters<typeof unsafe>) => {
    let asValues = false;
    // The data layer says `.values()` at once or never, and the queue begins its work later than that.
    const rows = queue(async () => (asValues ? await unsafe(...args).values() : await unsafe(...args)));
    const values = () => {
      asValues = true;
      return rows;
    };
    return Object.assign(rows, { values });
  };
  // A view: the driver's own `begin` calls `unsafe` of the pool itself.
  const view: postgres.Sql = Object.create(pool);
  return Object.assign(view, { unsafe: run, begin: (work: Parameters<typeof begin>[1]) => queue(() => begin(work)) });
}

const transactionOn =
  (handle: Queryable): Transaction =>
  (work) =>
    handle.transaction((tx) => work(tx as unknown as Queryable));

/** Wraps an open PGlite. It has one connection, so all roles of the handle are the same. */
export function wrapPglite(pglite: PGlite): Database {
  const query = drizzlePglite(pglite, schemaOptions) as unknown as Queryable;
  const urgent = { query, transaction: transactionOn(query) };
  return {
    kind: "pglite",
    query,
    lookup: query,
    transaction: urgent.transaction,
    urgent,
    statement: statements({ query, lookup: query, urgent }),
    script: async (sql) => {
      await pglite.exec(sql);
    },
    serverTime: async () => new Date(),
    notify: async (on, channel, payload) => {
      await on.execute(notifySql(channel, payload));
    },
    listen: async (channel, hear) => {
      await pglite.listen(channel, hear);
    },
    exclusively: (_lock, work) => work(),
    close: () => pglite.close(),
  };
}

function statements(on: Handles): Database["statement"] {
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

const notifySql = (channel: string, payload: string) => sql`select pg_notify(${channel}, ${payload})`;
