import type { Queryable } from "#db/client";
import type { Moment, Scan, Sweep } from "#db/sweep";

/** A sweep or a walk during one run. */
export interface Task {
  readonly name: string;
  /** Rows of the next batch, at most. */
  size: number;
  removed: number;
  /** Whether nothing is left for this run. */
  done: boolean;
  /** Does one batch. @returns the rows that it removed */
  step(): Promise<number>;
  /** The page that a walk comes to next. */
  place?: number;
  countDue(most: number): Promise<number>;
}

/** The first batch of a run is a small one: nobody knows yet how quick the machine is. */
const firstSize = 250;

export function sweepTask(on: Queryable, moment: Moment, sweep: Sweep): Task {
  let reached: string | undefined;
  const task: Task = {
    name: sweep.name,
    size: firstSize,
    removed: 0,
    done: false,
    step: async () => {
      const { rows, ...batch } = await sweep.remove(on, moment, { limit: task.size, reached });
      reached = batch.reached;
      task.removed += rows;
      // In a log a young row may stand among the oldest, so that only an empty batch proves that nothing is left.
      task.done = rows === 0;
      return rows;
    },
    countDue: (most) => sweep.countDue(on, moment, most),
  };
  return task;
}

/** A page holds some fifty grants or thirty refresh tokens, and looking is cheaper than removing. */
const rowsPerPage = 16;
/** In a large table a round takes several runs, so that a run which finds nothing stays cheap. */
const partsInRun = 200;

/** @param place the page to go on from; after the last page comes the first */
export async function scanTask(on: Queryable, moment: Moment, from: { walk: Scan; place: number }): Promise<Task> {
  const { walk } = from;
  const pages = await walk.countPages(on);
  let at = from.place < pages ? from.place : 0;
  let walked = 0;
  let parts = 0;
  const task: Task = {
    name: walk.name,
    place: at,
    size: firstSize,
    removed: 0,
    done: pages === 0,
    step: async () => {
      const { size } = task;
      const to = Math.min(at + Math.ceil(size / rowsPerPage), pages);
      const rows = await walk.remove(on, moment, { from: at, to, limit: size });
      task.removed += rows;
      if (rows === size) return rows;
      walked += to - at;
      at = to < pages ? to : 0;
      task.place = at;
      task.done = walked >= pages || ++parts >= partsInRun;
      return rows;
    },
    countDue: async (most) => (walk.countDue ? walk.countDue(on, moment, most) : 0),
  };
  return task;
}
