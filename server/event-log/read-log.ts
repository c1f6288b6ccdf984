import { z } from "zod";
import { findAppState, lockAppState, setAppState } from "#db/app-state";
import type { Database, Queryable } from "#db/client";
import { type LoggedEvent, readLog, readLogEnd } from "./store";

export {
  type LogEnd,
  type LoggedEvent,
  readEpochEnd,
  readEventsBySeq,
  readLog,
  readLogEnd,
  readSeqBefore,
  type Stretch,
} from "./store";

export interface LogReader<Memory> {
  readonly name: string;
  readonly memory: z.ZodType<Memory>;
  readonly first: Memory;
  /** A new reader starts at the oldest event, not at the next one. */
  readonly fromStart?: true;
  /**
   * Runs in the transaction that moves the position, so each page counts once.
   * @returns the new memory
   */
  readonly read: (tx: Queryable, page: readonly LoggedEvent[], memory: Memory) => Promise<Memory>;
}

const pageSize = 500;

/** Reads one page per transaction, in one process at a time. @returns the number of events read */
export async function advanceLogReader<Memory>(
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

export async function findReaderPosition(on: Queryable, name: string): Promise<number> {
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
  const end = await readLogEnd(database.query);
  const stored = await findAppState(database.query, key);
  if (stored !== undefined && Position.parse(JSON.parse(stored)).seq >= end.seq) return 0;
  return database.transaction(async (tx) => {
    const held = await lockAppState(
      tx,
      key,
      write({ seq: fromStart ? 0 : end.seq, memory: first }),
    );
    const position = Position.parse(JSON.parse(held));
    const { seq: until } = await readLogEnd(tx);
    const page = await readLog(tx, { after: position.seq, until }, pageSize);
    const seq = page.length < pageSize ? until : (page.at(-1)?.seq ?? until);
    if (seq <= position.seq) return 0;
    await setAppState(tx, key, write({ seq, memory: await read(tx, page, position.memory) }));
    return page.length;
  });
}
