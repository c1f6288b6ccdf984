import { z } from "zod";
import type { Log } from "#server/platform/log";
import type { Metrics } from "#server/platform/metrics";
import { id } from "./fields";

/** The rows of a list that could be read. */
export interface Rows<Row> extends Array<Row> {
  /** The rows that could not be read, where there are any: their number, ids and the wrong fields of the first few. */
  readonly unreadable?: {
    readonly rows: number;
    /** Of those that have an id. */
    readonly ids: readonly number[];
    readonly why: readonly string[];
  };
}

/** The most wrong fields that the log names. */
const mostNamed = 3;

const withId = z.object({ id });

/**
 * A list of the game, read row by row: one that is not as `row` says is left out and counted, and costs none of the others.
 * A list of several of which none can be read is not the list that was asked for, and refuses the answer.
 */
export const rowsOf = <Row extends z.ZodType>(row: Row) =>
  z.array(z.unknown()).transform((listed, context): Rows<z.output<Row>> => {
    const read: z.output<Row>[] = [];
    const why: string[] = [];
    const ids: number[] = [];
    for (const one of listed) {
      const parsed = row.safeParse(one);
      if (parsed.success) {
        read.push(parsed.data);
        continue;
      }
      const named = withId.safeParse(one);
      if (named.success) ids.push(named.data.id);
      if (why.length < mostNamed) why.push(describeIssue(parsed.error.issues[0]));
    }
    const rows = listed.length - read.length;
    if (rows > 1 && read.length === 0) {
      context.addIssue({ code: "custom", message: "no row can be read" });
      return z.NEVER;
    }
    return rows === 0
      ? read
      : Object.defineProperty(read, "unreadable", { value: { rows, ids, why } });
  });

/** The number of rows that the game sent, by which a page counts as full. */
export const rowsSent = (rows: Rows<unknown>): number => rows.length + (rows.unreadable?.rows ?? 0);

/** Rows that could not be read, as a run of a job counts them; nothing where there were none. */
export function countUnreadable(...lists: readonly Rows<unknown>[]): {
  readonly unreadable?: number;
} {
  const unreadable = lists.reduce((sum, list) => sum + (list.unreadable?.rows ?? 0), 0);
  return unreadable === 0 ? {} : { unreadable };
}

/** Field and kind of an issue, as the log may name them: a name comes from the answer, which could quote anything. */
export function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const fields = (issue?.path ?? []).map((part) =>
    /^([a-z_]{1,30}|[0-9]+)$/.test(String(part)) ? String(part) : "?",
  );
  return `${fields.join(".")} ${issue?.code ?? ""}`.trim();
}

/** Share of unreadable rows above which somebody should look: the game has changed what it answers. */
const tolerated = 0.01;
/** Milliseconds over which rows of one selection are counted together, and in which it is warned of once. */
const windowMs = 600_000;

interface RowWatchOptions {
  readonly now: () => Date;
  readonly log: Pick<Log, "warn"> | undefined;
  readonly metrics: Pick<Metrics, "gameRows"> | undefined;
}

/**
 * Counts how many rows of the game's lists cannot be read, and warns once a window and selection where they are more than one
 * in a hundred. The log has fields and kinds of issues, and nothing that the game sent.
 */
export function createRowWatch({ now, log, metrics }: RowWatchOptions) {
  const windows = new Map<
    string,
    { since: number; rows: number; unreadable: number; warned: boolean }
  >();

  return function watch(selection: string, answer: unknown): void {
    for (const list of listsIn(answer)) {
      const at = now().getTime();
      const known = windows.get(selection);
      const window =
        known && at - known.since < windowMs
          ? known
          : { since: at, rows: 0, unreadable: 0, warned: false };
      windows.set(selection, window);
      window.rows += rowsSent(list);
      window.unreadable += list.unreadable?.rows ?? 0;
      metrics?.gameRows.of(selection, "read").inc(list.length);
      if (list.unreadable) metrics?.gameRows.of(selection, "unreadable").inc(list.unreadable.rows);
      if (!list.unreadable || window.warned || window.unreadable <= window.rows * tolerated)
        continue;
      window.warned = true;
      const { rows, unreadable } = window;
      log?.warn(
        { selection, rows, unreadable, why: list.unreadable.why },
        "rows of the game cannot be read",
      );
    }
  };
}

/** The lists of an answer as a contract gives it: itself, or what stands in it. */
function listsIn(answer: unknown): Rows<unknown>[] {
  if (Array.isArray(answer)) return [answer];
  return typeof answer === "object" && answer !== null
    ? Object.values(answer).filter(Array.isArray)
    : [];
}
