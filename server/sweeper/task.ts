import type { Queryable } from "#db/client";
import type { Moment, Scan, Sweep } from "#db/sweep";

/** A sweep or a scan during one run. */
export interface Task {
  readonly name: string;
  /** Rows of the next batch, at most. */
  size: number;
  removed: number;
  /** Whether nothing is left for this run. */
  done: boolean;
  /** Does one batch. @returns the rows that it removed */
  step(): Promise<number>;
  /** The page that a scan comes to next. */
  position?: number;
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

/** @param position the page to go on from; after the last page comes the first */
export async function scanTask(
  on: Queryable,
  moment: Moment,
  from: { scan: Scan; position: number },
): Promise<Task> {
  const { scan } = from;
  const pages = await scan.countTablePages(on);
  let at = from.position < pages ? from.position : 0;
  let walked = 0;
  let parts = 0;
  const task: Task = {
    name: scan.name,
    position: at,
    size: firstSize,
    removed: 0,
    done: pages === 0,
    step: async () => {
      const { size } = task;
      const to = Math.min(at + Math.ceil(size / rowsPerPage), pages);
      const rows = await scan.remove(on, moment, { from: at, to, limit: size });
      task.removed += rows;
      if (rows === size) return rows;
      walked += to - at;
      at = to < pages ? to : 0;
      task.position = at;
      task.done = walked >= pages || ++parts >= partsInRun;
      return rows;
    },
    countDue: async (most) => (scan.countDue ? scan.countDue(on, moment, most) : 0),
  };
  return task;
}
