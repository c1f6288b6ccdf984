import { z } from "zod";
import { findAppState, lockAppState, setAppState } from "#db/app-state";
import type { Queryable } from "#db/client";
import type { Context } from "../context";
import { findLogEnd, type LoggedEvent, listEvents } from "./store";

/** A part of the product that reads the log from end to end, and keeps its position in the database. */
export interface LogReader<Memory> {
  /** Its own among all readers; the position is stored under it. */
  readonly name: string;
  /** What it keeps from page to page, with the position. */
  readonly memory: z.ZodType<Memory>;
  readonly first: Memory;
  /** Acts on a page, in the transaction that moves the position, so that each page counts once. @returns the new memory */
  readonly read: (tx: Queryable, page: readonly LoggedEvent[], memory: Memory) => Promise<Memory>;
}

const pageSize = 500;

/**
 * Lets a reader read on, a page a transaction, until the log ends or the signal says to stop. It begins with what happens after
 * its first call. Of many processes one reads at a time.
 * @returns how many events were read
 */
export async function followLog<Memory>(
  ctx: Context,
  reader: LogReader<Memory>,
  signal?: AbortSignal,
): Promise<number> {
  for (let read = 0; ; ) {
    const page = await readPage(ctx, reader);
    read += page;
    if (page < pageSize || signal?.aborted) return read;
  }
}

async function readPage<Memory>(ctx: Context, { name, memory, first, read }: LogReader<Memory>): Promise<number> {
  const key = `log-reader:${name}`;
  const Position = z.object({ seq: z.int(), memory });
  const write = (position: z.output<typeof Position>) => JSON.stringify(position);
  const end = await findLogEnd(ctx.database.query);
  const stored = await findAppState(ctx.database.query, key);
  if (stored !== undefined && Position.parse(JSON.parse(stored)).seq >= end.seq) return 0;
  return ctx.database.transaction(async (tx) => {
    const held = await lockAppState(tx, key, write({ seq: end.seq, memory: first }));
    const position = Position.parse(JSON.parse(held));
    const { seq: until } = await findLogEnd(tx);
    const page = await listEvents(tx, { after: position.seq, until }, pageSize);
    const seq = page.length < pageSize ? until : (page.at(-1)?.seq ?? until);
    if (seq <= position.seq) return 0;
    await setAppState(tx, key, write({ seq, memory: await read(tx, page, position.memory) }));
    return page.length;
  });
}
