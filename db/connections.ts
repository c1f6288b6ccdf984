import type postgres from "postgres";
import { type Codecs, type Connection, type ConnectionOptions, openConnection } from "./connection";
import { connectionQueue, PoolBusy } from "./connection-queue";
import { isBroken } from "./error-codes";
import type { Outages } from "./outages";

/** What drizzle asks of a driver. */
export type Driver = Pick<postgres.Sql, "options" | "unsafe" | "begin">;

/** A pool of connections whose every operation has a deadline, kept by a timer that calls `sweep`. */
export interface Connections {
  readonly driver: Driver;
  /** Milliseconds for a statement, a whole transaction, and the making of a connection. */
  deadline: number;
  /** Ends connections that let a deadline pass, and asks idle ones whether they live. */
  sweep(now: number): void;
  /** Ends all connections, after so many milliseconds whatever they do. */
  close(milliseconds: number): Promise<void>;
}

export interface ConnectionsOptions extends Omit<ConnectionOptions, "onClose"> {
  readonly size: number;
  readonly deadline: number;
  /** Statements share a connection by pipelining, up to so many; by default each has its connection to itself. */
  readonly pipelined?: number;
  /** Whether connections that nobody uses are kept. */
  readonly keepIdle?: boolean;
  readonly outages: Outages;
  readonly onClose?: () => void;
}

/** Thrown for what the database left unanswered. Whether it was done is unknown. `isConnectionLost` looks for the code. */
class DatabaseSilent extends Error {
  override readonly name = "DatabaseSilent";
  readonly code = "DATABASE_SILENT";

  constructor(milliseconds: number) {
    super(`The database gave no answer within ${milliseconds} ms.`);
  }
}

interface Operation {
  readonly since: number;
  /** Milliseconds for it, once those before it on the connection are done. */
  readonly limit: number;
}

interface Slot {
  readonly connection: Connection;
  /** The oldest first. */
  readonly operations: Set<Operation>;
  /** A transaction has the connection to itself. */
  reserved: boolean;
  usedAt: number;
  /** When an operation last ended: one that shares the connection with others has its own time from then on. */
  endedAt: number;
  askedAt: number;
}

/** An idle connection is asked, and has to answer, within this part of the deadline. */
const heartbeatShare = 0.5;
const idleMilliseconds = 60_000;
const goodbyeMilliseconds = 1_000;

/** Opens a pool. Each connection is a driver of its own, so that it is known which operation waits on which socket. */
export function openConnections(options: ConnectionsOptions, template: postgres.Sql): Connections {
  const { size, pipelined = 1, outages } = options;
  const codecs: Codecs = template.options;
  const slots: (Slot | undefined)[] = Array.from({ length: size });
  // Where statements share connections, one is left to them.
  const queue = pipelined > 1 ? connectionQueue(Math.max(1, size - 1), options.deadline) : connectionQueue(size);
  let closed = false;

  const open = (at: number): Slot => {
    const now = performance.now();
    const connection = openConnection(options, codecs);
    const slot: Slot = { connection, operations: new Set(), reserved: false, usedAt: now, endedAt: now, askedAt: now };
    slots[at] = slot;
    return slot;
  };
  /** The connection with the least to do; a new one rather than one that is busy. */
  const choose = (): Slot => {
    if (closed) throw new PoolBusy();
    let best: Slot | undefined;
    let unopened = -1;
    for (let at = 0; at < size; at++) {
      const slot = slots[at];
      if (!slot) unopened = at;
      else if (!slot.reserved && (!best || slot.operations.size < best.operations.size)) best = slot;
    }
    if (best?.operations.size === 0) return best;
    if (unopened >= 0) return open(unopened);
    if (!best || best.operations.size >= Math.max(pipelined, 2)) throw new PoolBusy();
    return best;
  };
  const track = (slot: Slot, work: PromiseLike<unknown>, limit: number): void => {
    const since = performance.now();
    const operation = { since, limit };
    slot.usedAt = since;
    slot.operations.add(operation);
    const ended = () => {
      slot.operations.delete(operation);
      slot.endedAt = outages.heard();
    };
    work.then(ended, (error: unknown) => {
      if (!isBroken(error)) return ended();
      slot.operations.delete(operation);
      outages.missed(since);
    });
  };
  const statement = (...args: Parameters<postgres.Sql["unsafe"]>) => {
    const slot = choose();
    const query = slot.connection.client.unsafe(...args);
    track(slot, query, pool.deadline);
    return query;
  };
  const drop = (at: number, slot: Slot, reason: Error) => {
    slots[at] = undefined;
    slot.connection.destroy(reason);
    // Others may be as dead: they are asked at once.
    for (const other of slots) if (other) other.askedAt = 0;
  };
  const look = (at: number, slot: Slot, now: number) => {
    const { connection, operations } = slot;
    const [oldest] = operations;
    if (oldest && Math.max(oldest.since, slot.endedAt, connection.readyAt()) + oldest.limit <= now) {
      outages.missed(oldest.since);
      drop(at, slot, new DatabaseSilent(oldest.limit));
    } else if (!oldest && !options.keepIdle && slot.usedAt + idleMilliseconds <= now) {
      slots[at] = undefined;
      void connection.end(goodbyeMilliseconds);
    } else if (!oldest && slot.askedAt + pool.deadline * heartbeatShare <= now) {
      heartbeat(slot, now);
    }
  };
  const heartbeat = (slot: Slot, now: number) => {
    const { usedAt } = slot;
    track(slot, slot.connection.client.unsafe("select 1"), pool.deadline * heartbeatShare);
    Object.assign(slot, { usedAt, askedAt: now });
  };

  const pool: Connections = {
    deadline: options.deadline,
    driver: Object.assign(Object.create(template) as postgres.Sql, {
      unsafe: pipelined > 1 ? statement : inTurn(queue, statement),
      begin: (work: (tx: postgres.TransactionSql) => unknown) =>
        queue(async () => {
          const slot = choose();
          slot.reserved = true;
          const transaction = slot.connection.client.begin(work);
          track(slot, transaction, pool.deadline);
          return await transaction.finally(() => {
            slot.reserved = false;
          });
        }),
    }),
    sweep: (now) => {
      for (let at = 0; at < size; at++) {
        const slot = slots[at];
        if (slot) look(at, slot, now);
        // A connection that is kept is also the one that finds out when the outage is over.
        else if (options.keepIdle && outages.lasting()) heartbeat(open(at), now);
      }
    },
    close: async (milliseconds) => {
      closed = true;
      await Promise.all(slots.map((slot) => slot?.connection.end(outages.lasting() ? 0 : milliseconds)));
    },
  };
  return pool;
}

type Unsafe = postgres.Sql["unsafe"];

/** Lets each statement wait for a connection of its own. */
function inTurn(
  queue: ReturnType<typeof connectionQueue>,
  statement: (...args: Parameters<Unsafe>) => ReturnType<Unsafe>,
) {
  return (...args: Parameters<Unsafe>) => {
    let asValues = false;
    // The data layer says `.values()` at once or never, and the queue begins its work later than that.
    const rows = queue(async () => (asValues ? await statement(...args).values() : await statement(...args)));
    const values = () => {
      asValues = true;
      return rows;
    };
    return Object.assign(rows, { values });
  };
}
