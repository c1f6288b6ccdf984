import type postgres from "postgres";
import { minuteMs } from "#server/platform/time";
import { type Codecs, type Connection, type ConnectionOptions, openConnection } from "./connection";
import { connectionQueue, type Queue } from "./connection-queue";
import {
  databaseUnavailable,
  isBroken,
  poolBusy,
  retryConflict,
  wrongParameter,
} from "./error-codes";
import type { Outages } from "./outages";
import { untrackedFormats } from "./pool-settings";

/** The part of a driver that drizzle uses. */
export type Driver = Pick<postgres.Sql, "options" | "unsafe" | "begin">;

/** The use of a pool. */
export interface PoolState {
  readonly size: number;
  /** Connections with something under way. */
  readonly inUse: number;
  readonly waiting: number;
  /** Who was sent away since the start, and connections that were destroyed for a deadline. */
  readonly refused: number;
  readonly deadlines: number;
}

/** A pool of connections whose every operation has a deadline, kept by a timer that calls `sweep`. */
export interface Connections {
  readonly driver: Driver;
  /** Milliseconds for a statement, a whole transaction, and the making of a connection. */
  deadline: number;
  /** Ends connections that let a deadline pass, sends away who waited too long for one, and asks idle ones whether they live. */
  sweep(now: number, passed: number): void;
  /** Ends all connections, after so many milliseconds whatever they do. */
  close(milliseconds: number): Promise<void>;
  state(): PoolState;
}

export interface ConnectionsOptions extends Omit<ConnectionOptions, "onClose"> {
  readonly size: number;
  readonly deadline: number;
  /** Statements share a connection by pipelining, up to so many; by default each has its connection to itself. */
  readonly pipelined?: number;
  /** Whether connections that nobody uses are kept. */
  readonly keepIdle?: boolean;
  /** Milliseconds after which one that nobody used is ended, and made again at its next use: nobody asks whether it lives. */
  readonly mostIdle?: number;
  readonly outages: Outages;
  readonly onClose?: () => void;
}

/** Thrown for what the database left unanswered. Whether it was done is unknown. `isConnectionLost` looks for the code. */
const databaseSilent = (milliseconds: number) =>
  databaseUnavailable("DATABASE_SILENT", `The database gave no answer within ${milliseconds} ms.`);

interface Slot {
  readonly connection: Connection;
  /** How many operations are under way. Only their number is kept: that costs a statement next to nothing. */
  underWay: number;
  /** How many have ended, and how many of them the last look knew of. */
  ended: number;
  seen: number;
  /** When the oldest began, or when a look last found that one had ended: one that waits behind others has its time from then on. */
  since: number;
  /** A transaction has the connection to itself. */
  reserved: boolean;
  /** What is under way is our own question whether it lives. */
  asking: boolean;
  usedAt: number;
  askedAt: number;
  readonly answered: () => void;
  readonly failed: (error: unknown) => void;
}

/** An idle connection is asked, and has to answer, within this part of the deadline. */
const heartbeatShare = 0.5;
/** Nobody waits longer for a connection than this part of the deadline: a caller would rather be told to come back. */
const queueShare = 0.5;
const { then } = Promise.prototype;
const idleMilliseconds = minuteMs;
const goodbyeMilliseconds = 1_000;

/** Opens a pool. Each connection is a driver of its own, so that it is known which operation waits on which socket. */
export function openConnections(options: ConnectionsOptions, template: postgres.Sql): Connections {
  const { size, mostIdle, outages } = options;
  const { pooled = false, address } = options.servers;
  const { setting } = address;
  // PgBouncer before 1.21 takes a connection back with the answer to a statement, also where it has passed on half of the next one:
  // what that is answered with is lost. Behind a pooler a statement is sent when the one before has been answered.
  const pipelined = pooled ? 1 : (options.pipelined ?? 1);
  const codecs: Codecs = template.options;
  const slots: (Slot | undefined)[] = Array.from({ length: size });
  // Where statements share connections, one is left to them.
  const queue =
    pipelined > 1
      ? connectionQueue(Math.max(1, size - 1), options.deadline)
      : connectionQueue(size, options.deadline * queueShare);
  let closed = false;
  let deadlines = 0;

  const open = (at: number): Slot => {
    const now = performance.now();
    const answered = () => {
      slot.underWay -= 1;
      slot.ended += 1;
      if (outages.lasting()) outages.heard();
    };
    const failed = (error: unknown) => {
      // Where nobody was let in yet it is the address that is wrong, and the sentence about it names its setting.
      if (slot.connection.readyAt() === 0 && error instanceof Error)
        Object.assign(error, { setting, ...spare(error) });
      if (!isBroken(error)) return answered();
      slot.underWay -= 1;
      slot.asking = false;
      outages.missed(slot.since);
    };
    const slot: Slot = {
      connection: openConnection(options, codecs),
      ...{
        underWay: 0,
        ended: 0,
        seen: 0,
        since: now,
        reserved: false,
        asking: false,
        usedAt: now,
        askedAt: now,
      },
      answered,
      failed,
    };
    slots[at] = slot;
    return slot;
  };
  /** PgBouncer names the first parameter that it does not know. Without ours the next connection may succeed. */
  const spare = ({ message }: Error): { code: string } | undefined => {
    const [, name] = /^unsupported startup parameter: (\w+)/.exec(message) ?? [];
    if (name === undefined) return undefined;
    if (!(name in untrackedFormats) || options.servers.sparing) return { code: wrongParameter };
    options.servers.sparing = true;
    slots.fill(undefined);
    return undefined;
  };
  /** The connection with the least to do; a new one rather than one that is busy. */
  const choose = (): Slot => {
    if (closed) throw poolBusy();
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
    if (!best || best.underWay >= Math.max(pipelined, 2)) throw poolBusy();
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
    // A statement's own `then` would begin it, which costs as much again; it begins when its caller waits for it.
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
    // Others may be as dead: they are asked at once.
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
    // Being let in takes time of its own, half a deadline at most: a pooler whose server is away lets us in and closes again, without end.
    const ready = Math.min(slot.connection.readyAt(), slot.since + pool.deadline / 2);
    if (Math.max(slot.since, ready) + limit > now) return;
    outages.missed(slot.since);
    deadlines += 1;
    drop(at, slot, databaseSilent(limit));
  };
  const heartbeat = (slot: Slot, now: number) => {
    const { usedAt } = slot;
    const { client } = slot.connection;
    // The driver sends nothing behind a statement whose parameters it asks PostgreSQL for.
    begin(
      slot,
      (pooled ? client.unsafe("select $1::int", [1]) : client.unsafe("select 1")).execute(),
    );
    Object.assign(slot, { usedAt, askedAt: now, asking: true });
  };

  const pool: Connections = {
    deadline: options.deadline,
    driver: Object.assign(Object.create(template) as postgres.Sql, {
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
    }),
    sweep: (now, passed) => {
      queue.sweep(passed);
      for (let at = 0; at < size; at++) {
        const slot = slots[at];
        if (slot) look(at, slot, now);
        // A connection that is kept is also the one that finds out when the outage is over.
        else if (options.keepIdle && outages.lasting()) heartbeat(open(at), now);
      }
    },
    close: async (milliseconds) => {
      closed = true;
      await Promise.all(
        slots.map((slot) => slot?.connection.end(outages.lasting() ? 0 : milliseconds)),
      );
    },
    state: () => {
      const inUse = slots.filter((slot) => slot && slot.underWay > 0).length;
      return { size, inUse, ...queue.state, deadlines };
    },
  };
  return pool;
}

type Unsafe = postgres.Sql["unsafe"];

/** Lets each statement wait for a connection of its own, and once more where another transaction was in its way. */
function inTurn(queue: Queue, statement: (...args: Parameters<Unsafe>) => ReturnType<Unsafe>) {
  return (...args: Parameters<Unsafe>) => {
    let asValues = false;
    // The data layer says `.values()` at once or never, and the queue begins its work later than that.
    const run = () =>
      queue.run(async () =>
        asValues ? await statement(...args).values() : await statement(...args),
      );
    // A script has no parameters, and may have committed a part of what it does.
    const [, parameters] = args;
    const rows = parameters ? retryConflict(run) : run();
    const values = () => {
      asValues = true;
      return rows;
    };
    return Object.assign(rows, { values });
  };
}
