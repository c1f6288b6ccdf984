import type { Queryable } from "#db/client";
import { findKept, findLogEnd, findSeqBefore, type LogEnd, type LoggedEvent, listEvents, type Stretch } from "./store";

export type { LogEnd, LoggedEvent, Stretch };

/** How far the log goes. */
export const readLogEnd = (on: Queryable): Promise<LogEnd> => findLogEnd(on);

/** Events of a stretch of the log, in order. */
export const readLog = (on: Queryable, stretch: Stretch, limit: number): Promise<LoggedEvent[]> =>
  listEvents(on, stretch, limit);

/** The last number of an epoch that is still on the log, which ends here; -1 for an epoch that the database does not know. */
export const readKept = (on: Queryable, epoch: number, end: LogEnd): Promise<number> => findKept(on, epoch, end);

/** The number after which everything happened at this instant or later; the end of the log where nothing did. */
export const readSeqBefore = async (on: Queryable, at: Date, end: LogEnd): Promise<number> =>
  (await findSeqBefore(on, at)) ?? end.seq;
