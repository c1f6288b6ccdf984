import type { Context } from "../context";
import type { Stretch } from "../event-log/read-log";
import {
  eventsByGrant,
  type Reader,
  type VisiblePage,
  visibleTo,
  visibleToGrant,
} from "./visible-events";

/** The next events for a reader that is behind, and when its rights were read, by `performance.now()`. */
export interface CaughtUp extends VisiblePage {
  readonly readAt: number;
}

/** Reads the log for streams that are behind. */
export interface EventCatchUp {
  /** The events of a stretch that a reader may be told, at most so many, and how far that is. */
  read(
    ctx: Context,
    reader: Reader,
    stretch: Stretch & { readonly limit: number },
  ): Promise<CaughtUp>;
}

interface Waiting extends Stretch {
  readonly ctx: Context;
  readonly reader: Reader;
  readonly limit: number;
  readonly resolve: (page: CaughtUp) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads at a time, so that other calls find connections. */
const mostReading = 3;
/** From so many readers on, one read of all that happened costs less than one of what is near each of them. */
const fewestTogether = 4;
/** With more readers a page is too old by the time the last of them gets it. */
const mostTogether = 200;
/** Numbers of one shared read. Readers share one whose positions are no further apart than half of it. */
const sharedNumbers = 500;

/** Streams wait in their order, and those whose positions are near each other share a read: after a stall or a deploy that is all of them. */
export function createEventCatchUp(): EventCatchUp {
  let waiting: Waiting[] = [];
  let reading = 0;

  const takeGroup = (first: Waiting): Waiting[] => {
    const isNear = ({ after }: Waiting) => Math.abs(after - first.after) <= sharedNumbers / 4;
    const near = waiting.filter(isNear).slice(0, mostTogether);
    const group = near.length < fewestTogether ? [first] : near;
    const taken = new Set(group);
    waiting = waiting.filter((each) => !taken.has(each));
    return group;
  };
  const work = async () => {
    reading += 1;
    for (let first = waiting[0]; first; first = waiting[0]) {
      const group = takeGroup(first);
      try {
        await (group.length === 1 ? readAlone(first) : readTogether(group));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    reading -= 1;
  };
  return {
    read: (ctx, reader, stretch) =>
      new Promise((resolve, reject) => {
        waiting.push({ ctx, reader, ...stretch, resolve, reject });
        // Those who fall behind at the same moment are there when the first of them is served.
        if (reading < mostReading) setImmediate(() => reading < mostReading && void work());
      }),
  };
}

async function readAlone({ ctx, reader, limit, resolve, ...stretch }: Waiting): Promise<void> {
  const readAt = performance.now();
  const page = await visibleToGrant(ctx.database.query, stretch, { reader, limit, now: ctx.now() });
  resolve({ ...page, readAt });
}

async function readTogether(group: readonly Waiting[]): Promise<void> {
  const [first] = group;
  if (!first) return;
  const { ctx } = first;
  const after = Math.min(...group.map((each) => each.after));
  const until = Math.min(Math.max(...group.map((each) => each.until)), after + sharedNumbers);
  const grants = [...new Map(group.map(({ reader }) => [reader.grantId, reader])).values()];
  const readAt = performance.now();
  const of = { readers: { grants }, limit: sharedNumbers, now: ctx.now() };
  const { visible, reached } = await visibleTo(ctx.database.query, { after, until }, of);
  const byGrant = eventsByGrant(visible, new Set(grants.map(({ grantId }) => grantId)));
  for (const each of group) {
    const mine = (byGrant.get(each.reader.grantId) ?? []).filter(
      ({ event }) => event.seq > each.after,
    );
    const page = mine.slice(0, each.limit);
    const last =
      mine.length > page.length
        ? (page.at(-1)?.event.seq ?? reached)
        : Math.max(reached, each.after);
    each.resolve({ visible: page, reached: last, readAt });
  }
}
