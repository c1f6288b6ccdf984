import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { findLogEnd, type LogEnd } from "../event-log/store";
import { eventsKept } from "./read-page";
import { findLogBounds, findSeqBefore } from "./visible-store";

/** How far the log goes. */
export const readLogEnd = (on: Queryable): Promise<LogEnd> => findLogEnd(on);

/** How far the log goes, and the number after which every event can still be read. */
export const readLogBounds = (ctx: Context, on: Queryable): Promise<LogEnd & { readonly oldest: number }> =>
  findLogBounds(on, new Date(ctx.now().getTime() - eventsKept));

/** The number after which everything happened at this instant or later; the end of the log where nothing did. */
export const readSeqBefore = async (on: Queryable, at: Date): Promise<number> =>
  (await findSeqBefore(on, at)) ?? (await findLogEnd(on)).seq;
