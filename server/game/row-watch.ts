import type { Log } from "#server/platform/log";
import type { Metrics } from "#server/platform/metrics/metrics";
import { type Rows, rowsSent } from "./contract/rows";

/** Share of unreadable rows above which somebody should look: the game has changed what it answers. */
const tolerated = 0.01;
/** Milliseconds over which rows of one selection are counted together, and in which it is warned of once. */
const windowMs = 600_000;

interface Options {
  readonly now: () => Date;
  readonly log: Pick<Log, "warn"> | undefined;
  readonly metrics: Pick<Metrics, "gameRows"> | undefined;
}

/**
 * Counts how many rows of the game's lists cannot be read, and warns once a window and selection where they are more than one
 * in a hundred. The log has fields and kinds of issues, and nothing that the game sent.
 */
export function createRowWatch({ now, log, metrics }: Options) {
  const windows = new Map<string, { since: number; rows: number; unreadable: number; warned: boolean }>();

  return function watch(selection: string, answer: unknown): void {
    for (const list of listsIn(answer)) {
      const at = now().getTime();
      const known = windows.get(selection);
      const window =
        known && at - known.since < windowMs ? known : { since: at, rows: 0, unreadable: 0, warned: false };
      windows.set(selection, window);
      window.rows += rowsSent(list);
      window.unreadable += list.unreadable?.rows ?? 0;
      metrics?.gameRows.of(selection, "read").inc(list.length);
      if (list.unreadable) metrics?.gameRows.of(selection, "unreadable").inc(list.unreadable.rows);
      if (!list.unreadable || window.warned || window.unreadable <= window.rows * tolerated) continue;
      window.warned = true;
      const { rows, unreadable } = window;
      log?.warn({ selection, rows, unreadable, why: list.unreadable.why }, "rows of the game cannot be read");
    }
  };
}

/** The lists of an answer as a contract gives it: itself, or what stands in it. */
function listsIn(answer: unknown): Rows<unknown>[] {
  if (Array.isArray(answer)) return [answer];
  return typeof answer === "object" && answer !== null ? Object.values(answer).filter(Array.isArray) : [];
}
