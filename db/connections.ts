import type postgres from "postgres";
import { minuteMs } from "#server/platform/time";
import { type Codecs, type Connection, type ConnectionOptions, openConnection } from "./connection";
import { type ConnectionQueue, createConnectionQueue } from "./connection-queue";
import {
  databaseUnavailableError,
  isConnectionFailure,
  poolBusyError,
  retryConflict,
  wrongParameterCode,
} from "./error-codes";
import type { OutageLog } from "./outages";
import { untrackedFormats } from "./pool-settings";

export type Driver = Pick<postgres.Sql, "options" | "unsafe" | "begin">;

export type ConnectionPool = ReturnType<typeof openConnectionPool>;
export type PoolState = ReturnType<ConnectionPool["state"]>;

export interface ConnectionPoolOptions extends Omit<ConnectionOptions, "onClose"> {
  readonly size: number;
  readonly deadline: number;
  readonly pipelined?: number;
  readonly keepIdle?: boolean;
  /** Idle milliseconds after which a connection is closed, without heartbeats before. */
  readonly mostIdle?: number;
  readonly outages: OutageLog;
  readonly onClose?: () => void;
}

const databaseSilent = (milliseconds: number) =>
  databaseUnavailableError(
    "DATABASE_SILENT",
    `The database gave no answer within ${milliseconds} ms.`,
  );

interface Slot {
  readonly connection: Connection;
  /** Counts of operations. `seen` is `ended` at the last sweep. */
  underWay: number;
  ended: number;
  seen: number;
  /** When the work began, or the last sweep that saw an operation end. */
  since: number;
  /** Held by a transaction. */
  reserved: boolean;
  /** A heartbeat is under way. */
  asking: boolean;
  usedAt: number;
  askedAt: number;
  readonly answered: () => void;
  readonly failed: (error: unknown) => void;
}

const heartbeatShare = 0.5;
const queueShare = 0.5;
const { then } = Promise.prototype;
const idleMilliseconds = minuteMs;
const goodbyeMilliseconds = 1_000;

/** One driver per connection, so that each operation's socket is known. */
export function openConnectionPool(options: ConnectionPoolOptions, template: postgres.Sql) {
  const { size, mostIdle, outages } = options;
  const { pooled = false, address } = options.servers;
  const { setting } = address;
  // PgBouncer before 1.21 may drop an answer if the next statement is half forwarded.
  const pipelined = pooled ? 1 : (options.pipelined ?? 1);
  const codecs: Codecs = template.options;
  const slots: (Slot | undefined)[] = Array.from({ length: size });
  // Transactions leave one pipelined connection to statements.
  const queue =
    pipelined > 1
      ? createConnectionQueue(Math.max(1, size - 1), options.deadline)
      : createConnectionQueue(size, options.deadline * queueShare);
  let closed = false;
  let deadlines = 0;

  const open = (at: number): Slot => {
    const now = performance.now();
    const isSparing = options.servers.sparing === true;
    const answered = () => {
      slot.underWay -= 1;
      slot.ended += 1;
      if (outages.lasting()) outages.heard();
    };
    const failed = (error: unknown) => {
      // Before the first login the address may be wrong, so the error names its setting.
      if (slot.connection.readyAt() === 0 && error instanceof Error)
        Object.assign(error, { setting, ...spare(error, isSparing) });
      if (!isConnectionFailure(error)) return answered();
      slot.underWay -= 1;
      slot.asking = false;
      outages.missed(slot.since);
    };
    const slot: Slot = {
      connection: openConnection(options, codecs),
      underWay: 0,
      ended: 0,
      seen: 0,
      since: now,
      reserved: false,
      asking: false,
      usedAt: now,
      askedAt: now,
      answered,
      failed,
    };
    slots[at] = slot;
    return slot;
  };
  /** PgBouncer names the first unknown parameter. The next attempt omits all untracked formats. */
  const spare = ({ message }: Error, isSparing: boolean): { code: string } | undefined => {
    const [, name] = /^unsupported startup parameter: (\w+)/.exec(message) ?? [];
    if (name === undefined) return undefined;
    if (!(name in untrackedFormats) || isSparing) return { code: wrongParameterCode };
    options.servers.sparing = true;
    slots.fill(undefined);
    return undefined;
  };
  const choose = (): Slot => {
    if (closed) throw poolBusyError();
    if (mostIdle !== undefined) endUnusedSince(performance.now() - mostIdle);
    let best: Slot | undefined;
    let unopened = -1;
    for (let at = 0; at < size; at++) {
      const slot = slots[at];
      if (!slot) unopened = at;
      else if (!slot.reserved && (!best || slot.underWay < best.underWay)) best = slot;
    }
    if (best?.underWay === 0) return best;
    if (unopened >= 0) return open(unopened);
    if (!best || best.underWay >= Math.max(pipelined, 2)) throw poolBusyError();
    return best;
  };
  const endIdle = (at: number, slot: Slot) => {
    slots[at] = undefined;
    void slot.connection.end(goodbyeMilliseconds);
  };
  const endUnusedSince = (since: number) => {
    for (let at = 0; at < size; at++) {
      const slot = slots[at];
      if (slot && slot.underWay === 0 && slot.usedAt < since) endIdle(at, slot);
    }
  };
  const begin = (slot: Slot, work: Promise<unknown>) => {
    if (slot.underWay++ === 0) slot.since = slot.usedAt = performance.now();
    // Calling the statement's own `then` would start it, which is up to the caller.
    then.call(work, slot.answered, slot.failed);
  };
  const statement = (...args: Parameters<postgres.Sql["unsafe"]>) => {
    const slot = choose();
    const query = slot.connection.client.unsafe(...args);
    begin(slot, query);
    return query;
  };
  const drop = (at: number, slot: Slot, reason: Error) => {
    slots[at] = undefined;
    slot.connection.destroy(reason);
    // Other connections may be dead too, so a heartbeat is due.
    for (const other of slots) if (other) other.askedAt = 0;
  };
  const look = (at: number, slot: Slot, now: number) => {
    if (slot.ended > slot.seen) {
      slot.seen = slot.ended;
      slot.asking = false;
      slot.since = now;
      if (!outages.lasting()) outages.heard();
    }
    if (slot.underWay > 0) lookAtBusy(at, slot, now);
    else if (!options.keepIdle && slot.usedAt + (mostIdle ?? idleMilliseconds) <= now)
      endIdle(at, slot);
    else if (mostIdle === undefined && slot.askedAt + pool.deadline * heartbeatShare <= now)
      heartbeat(slot, now);
  };
  const lookAtBusy = (at: number, slot: Slot, now: number) => {
    if (!slot.asking) slot.usedAt = now;
    const limit = slot.asking ? pool.deadline * heartbeatShare : pool.deadline;
    // A pooler without a server accepts and closes connections endlessly, so logins extend a
    // deadline by half at most.
    const ready = Math.min(slot.connection.readyAt(), slot.since + pool.deadline / 2);
    if (Math.max(slot.since, ready) + limit > now) return;
    outages.missed(slot.since);
    deadlines += 1;
    drop(at, slot, databaseSilent(limit));
  };
  const heartbeat = (slot: Slot, now: number) => {
    const { usedAt } = slot;
    const { client } = slot.connection;
    // The driver pipelines nothing behind a statement until it knows the types of its parameters.
    begin(
      slot,
      (pooled ? client.unsafe("select $1::int", [1]) : client.unsafe("select 1")).execute(),
    );
    Object.assign(slot, { usedAt, askedAt: now, asking: true });
  };

  const driver: Driver = Object.assign(Object.create(template) as postgres.Sql, {
    unsafe: pipelined > 1 ? statement : inTurn(queue, statement),
    begin: (work: (tx: postgres.TransactionSql) => unknown) =>
      queue.run(async () => {
        const slot = choose();
        slot.reserved = true;
        const transaction = slot.connection.client.begin(work);
        begin(slot, transaction);
        return await transaction.finally(() => {
          slot.reserved = false;
        });
      }),
  });
  const pool = {
    driver,
    /** Milliseconds for a statement, a transaction, or a connection attempt. */
    deadline: options.deadline,
    sweep: (now: number, passed: number) => {
      queue.sweep(passed);
      for (let at = 0; at < size; at++) {
        const slot = slots[at];
        if (slot) look(at, slot, now);
        // Reopens a lost connection, which detects the end of the outage.
        else if (options.keepIdle && outages.lasting()) heartbeat(open(at), now);
      }
    },
    close: async (milliseconds: number) => {
      closed = true;
      await Promise.all(
        slots.map((slot) => slot?.connection.end(outages.lasting() ? 0 : milliseconds)),
      );
    },
    state: () => {
      const inUse = slots.filter((slot) => slot && slot.underWay > 0).length;
      /** `deadlines` counts connections destroyed at a deadline. */
      return { size, inUse, ...queue.state, deadlines };
    },
  };
  return pool;
}

type Unsafe = postgres.Sql["unsafe"];

function inTurn(
  queue: ConnectionQueue,
  statement: (...args: Parameters<Unsafe>) => ReturnType<Unsafe>,
) {
  return (...args: Parameters<Unsafe>) => {
    let asValues = false;
    // Drizzle calls `.values()` synchronously, before the queue starts the work.
    const run = () =>
      queue.run(async () =>
        asValues ? await statement(...args).values() : await statement(...args),
      );
    // A script has no parameters and may have committed a part, so it is not retried.
    const [, parameters] = args;
    const rows = parameters ? retryConflict(run) : run();
    const values = () => {
      asValues = true;
      return rows;
    };
    return Object.assign(rows, { values });
  };
}

/** Most sweeps skipped in a row, because deadlines must hold in an overloaded process too. */
const mostSkipped = 3;

/** One timer, because a timer per statement would cost as much as the statement. */
export function startDeadlineTimer(
  pools: ReadonlySet<Pick<ConnectionPool, "sweep">>,
  pause: number,
  clock = () => performance.now(),
): () => void {
  let due = clock() + pause;
  let skipped = 0;
  const timer = setInterval(() => {
    const now = clock();
    // After a freeze a sweep is skipped, because arrived answers are not read yet.
    const late = now - due > pause;
    due = now + pause;
    skipped = late && skipped < mostSkipped ? skipped + 1 : 0;
    if (skipped === 0) for (const pool of pools) pool.sweep(now, pause);
  }, pause);
  timer.unref();
  return () => clearInterval(timer);
}
