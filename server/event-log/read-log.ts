import { z } from "zod";
import { findAppState, lockAppState, setAppState } from "#db/app-state";
import type { Database, Queryable } from "#db/client";
import {
  findKept,
  findLogEnd,
  findSeqBefore,
  type LogEnd,
  type LoggedEvent,
  listLogged,
  listLoggedAt,
  type Stretch,
} from "./store";

export type { LogEnd, LoggedEvent, Stretch };

export const readLogEnd = (on: Queryable): Promise<LogEnd> => findLogEnd(on);

export const readLog = (on: Queryable, stretch: Stretch, limit: number): Promise<LoggedEvent[]> =>
  listLogged(on, stretch, limit);

export const readLogAt = (on: Queryable, seqs: readonly number[]): Promise<LoggedEvent[]> =>
  seqs.length === 0 ? Promise.resolve([]) : listLoggedAt(on, seqs);

export const readKept = (on: Queryable, epoch: number, end: LogEnd): Promise<number> =>
  findKept(on, epoch, end);

/**
 * Events after this number happened at this instant or later; the end of the log if there are none.
 */
export const readSeqBefore = async (on: Queryable, at: Date, end: LogEnd): Promise<number> =>
  (await findSeqBefore(on, at)) ?? end.seq;

export interface LogReader<Memory> {
  readonly name: string;
  readonly memory: z.ZodType<Memory>;
  readonly first: Memory;
  /** Starts with the oldest event instead of the next one. */
  readonly fromStart?: true;
  /**
   * Runs in the transaction that moves the position, so each page counts once. @returns the new
   * memory
   */
  readonly read: (tx: Queryable, page: readonly LoggedEvent[], memory: Memory) => Promise<Memory>;
}

const pageSize = 500;

/**
 * One page per transaction, until the end of the log or the signal. One process reads at a time.
 * @returns the number of events read
 */
export async function followLog<Memory>(
  { database }: { readonly database: Database },
  reader: LogReader<Memory>,
  signal?: AbortSignal,
): Promise<number> {
  for (let read = 0; ; ) {
    const page = await readPage(database, reader);
    read += page;
    if (page < pageSize || signal?.aborted) return read;
  }
}

const keyOf = (name: string) => `log-reader:${name}`;

export async function readerPosition(on: Queryable, name: string): Promise<number> {
  const stored = await findAppState(on, keyOf(name));
  return stored === undefined ? 0 : z.object({ seq: z.int() }).parse(JSON.parse(stored)).seq;
}

async function readPage<Memory>(
  database: Database,
  { name, memory, first, fromStart, read }: LogReader<Memory>,
): Promise<number> {
  const key = keyOf(name);
  const Position = z.object({ seq: z.int(), memory });
  const write = (position: z.output<typeof Position>) => JSON.stringify(position);
  const end = await findLogEnd(database.query);
  const stored = await findAppState(database.query, key);
  if (stored !== undefined && Position.parse(JSON.parse(stored)).seq >= end.seq) return 0;
  return database.transaction(async (tx) => {
    const held = await lockAppState(
      tx,
      key,
      write({ seq: fromStart ? 0 : end.seq, memory: first }),
    );
    const position = Position.parse(JSON.parse(held));
    const { seq: until } = await findLogEnd(tx);
    const page = await listLogged(tx, { after: position.seq, until }, pageSize);
    const seq = page.length < pageSize ? until : (page.at(-1)?.seq ?? until);
    if (seq <= position.seq) return 0;
    await setAppState(tx, key, write({ seq, memory: await read(tx, page, position.memory) }));
    return page.length;
  });
}
