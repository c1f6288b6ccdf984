import { connectionCountOf, type PoolSizes, defaultPoolSizesFor } from "#db/pool-settings";
import { endedTokenRetention } from "#server/oauth/sweep-store";
import { daySeconds, hourSeconds } from "#server/platform/time";

/** What one call costs: microseconds of processor time by part, and bytes that PostgreSQL writes and keeps. */
export interface Cost {
  readonly ours: number;
  readonly postgres: number;
  readonly redis: number;
  readonly wal: number;
  /** Of other tables than that of access tokens. */
  readonly kept: number;
  /** Of the table of access tokens; its rows live less than a month. */
  readonly tokens: number;
}

/** What is asked of the service. */
export interface Demand {
  readonly players: number;
  /** Of each player, by all applications together. */
  readonly readsADay: number;
  readonly refreshesADay: number;
  /** The busiest second compared with the mean. */
  readonly peak: number;
}

/** How the service is set up, as far as it changes what is opened. */
export interface Setup {
  /** DATABASE_POOL_SIZE and the like, where they are set. */
  readonly pools?: Partial<PoolSizes>;
}

export interface Costs {
  readonly read: Cost;
  readonly refresh: Cost;
}

/** What the demand needs at its peak. */
export interface Needs {
  readonly callsASecond: number;
  /** Cores of processor time, as used. */
  readonly cores: { readonly ours: number; readonly postgres: number; readonly redis: number };
  readonly instances: number;
  readonly databaseCores: number;
  /** At most, without a pooler. */
  readonly connections: number;
  /** Behind PgBouncer: connections that it takes, and those that go past it to PostgreSQL, where one of each process listens. */
  readonly pooler: { readonly clients: number; readonly past: number };
  /** Bytes a day: of the log of writes, which is archived, and of rows, which are dropped after a month. */
  readonly walADay: number;
  readonly keptADay: number;
  /** Access tokens: rows that a day brings, their bytes, and the bytes of all that are there, ended or not. */
  readonly tokens: {
    readonly rowsADay: number;
    readonly bytesADay: number;
    readonly bytes: number;
  };
}

/** An access token lives an hour where ACCESS_SECONDS is not set, and its row outlives it. */
const tokenDays = (hourSeconds + endedTokenRetention) / daySeconds;
/** A core that is busier than this answers late whenever calls come together. */
const busiest = 0.6;
/** Processes that are there besides: a spare instance and the worker. */
const spare = 1;
const workers = 1;
/** Of a process, past a pooler. */
const listening = 1;

export function needsOf(
  { players, readsADay, refreshesADay, peak }: Demand,
  { read, refresh }: Costs,
  { pools = {} }: Setup = {},
): Needs {
  const [reads, refreshes] = [readsADay, refreshesADay].map(
    (each) => (players * each) / daySeconds,
  ) as [number, number];
  const cores = (part: "ours" | "postgres" | "redis") =>
    (peak * (reads * read[part] + refreshes * refresh[part])) / 1_000_000;
  const used = { ours: cores("ours"), postgres: cores("postgres"), redis: cores("redis") };
  const instances = Math.ceil(used.ours / busiest) + spare;
  const processes = instances + workers;
  const opened = (where: { pooled: boolean }) =>
    connectionCountOf({ ...defaultPoolSizesFor(where), ...pools });
  const bytes = (kind: "wal" | "kept") =>
    daySeconds * (reads * read[kind] + refreshes * refresh[kind]);
  // A read issues no token: what it seems to add is a page that PostgreSQL happened to take meanwhile.
  const tokenBytes = daySeconds * refreshes * refresh.tokens;
  return {
    callsASecond: peak * (reads + refreshes),
    cores: used,
    instances,
    databaseCores: Math.max(1, Math.ceil(used.postgres / busiest)),
    connections: processes * opened({ pooled: false }),
    pooler: {
      clients: processes * (opened({ pooled: true }) - listening),
      past: processes * listening,
    },
    walADay: bytes("wal"),
    keptADay: bytes("kept"),
    tokens: {
      rowsADay: players * refreshesADay,
      bytesADay: tokenBytes,
      bytes: tokenBytes * tokenDays,
    },
  };
}

/** How much of a part one machine of an ordinary kind has, and which engine takes it from there. */
const ceilings = [
  {
    part: "connections to PostgreSQL",
    most: 400,
    of: (needs: Needs) => needs.connections,
    next: "PgBouncer in transaction mode before it, with DATABASE_DIRECT_URL",
  },
  {
    part: "listeners past PgBouncer",
    most: 400,
    of: (needs: Needs) => needs.pooler.past,
    next: "larger instances, or no DATABASE_DIRECT_URL: an ended token may then live 0.8 seconds longer elsewhere",
  },
  {
    part: "PostgreSQL's processor, 32 cores",
    most: 32,
    of: (needs: Needs) => needs.databaseCores,
    next: "Citus, distributed by account",
  },
  {
    part: "PostgreSQL's log of writes, 2 TB a day",
    most: 2e12,
    of: (needs: Needs) => needs.walADay,
    next: "Citus, distributed by account",
  },
  {
    part: "rows of a month, 4 TB",
    most: 4e12,
    of: (needs: Needs) => needs.keptADay * 30 + needs.tokens.bytes,
    next: "other disks for the older partitions of request_log and audit_log",
  },
  {
    part: "Redis, which has one core",
    most: busiest,
    of: (needs: Needs) => needs.cores.redis,
    next: "Redis Cluster: keys of a limit carry its subject",
  },
] as const;

/** A part by how full it is, and what takes it from there. */
export interface Fullness {
  readonly part: string;
  readonly full: number;
  readonly next: string;
}

/** All parts, the fullest first: it comes to its end before the others. */
export const partsByFullness = (needs: Needs): readonly Fullness[] =>
  ceilings
    .map(({ part, most, of, next }) => ({ part, full: of(needs) / most, next }))
    .sort((one, other) => other.full - one.full);
