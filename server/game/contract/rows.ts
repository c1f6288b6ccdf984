import { z } from "zod";
import type { Log } from "#server/platform/log";
import type { Metrics } from "#server/platform/metrics";
import { createTtlCache } from "#server/platform/ttl-cache";
import { id } from "./fields";

export interface Rows<Row> extends Array<Row> {
  readonly unreadable?: {
    readonly rows: number;
    readonly ids: readonly number[];
    readonly why: readonly string[];
  };
}

const mostNamed = 3;

const withId = z.object({ id });

/** Skips and counts invalid rows, but rejects an answer of several rows that are all invalid. */
export const rowsSchemaOf = <Row extends z.ZodType>(row: Row) =>
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

export const listAnswerSchema = <Row extends z.ZodType>(name: string, row: Row) =>
  z
    .object({ [name]: rowsSchemaOf(row) })
    .transform((answer) => answer[name] as Rows<z.output<Row>>);

/** Includes unreadable rows, so that a full page is recognised. */
export const countSentRows = (rows: Rows<unknown>): number =>
  rows.length + (rows.unreadable?.rows ?? 0);

export function unreadableCountsOf(...lists: readonly Rows<unknown>[]): {
  readonly unreadable?: number;
} {
  const unreadable = lists.reduce((sum, list) => sum + (list.unreadable?.rows ?? 0), 0);
  return unreadable === 0 ? {} : { unreadable };
}

/** Field names from the answer are checked, because they could contain any text. */
export function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const fields = (issue?.path ?? []).map((part) =>
    /^([a-z_]{1,30}|[0-9]+)$/.test(String(part)) ? String(part) : "?",
  );
  return `${fields.join(".")} ${issue?.code ?? ""}`.trim();
}

/** Share of unreadable rows above which the game's format has probably changed. */
const tolerated = 0.01;
const windowMs = 600_000;
const mostSelections = 100;

interface RowWatchOptions {
  readonly now: () => Date;
  readonly log: Pick<Log, "warn"> | undefined;
  readonly metrics: Pick<Metrics, "gameRows"> | undefined;
}

/** Logs contain no values from the game. */
export function createUnreadableWatch({ now, log, metrics }: RowWatchOptions) {
  const windows = createTtlCache<string, { rows: number; unreadable: number; warned: boolean }>({
    now,
    ttl: windowMs,
    most: mostSelections,
  });

  return function watch(selection: string, answer: unknown): void {
    for (const list of listsIn(answer)) {
      const window =
        windows.get(selection) ?? windows.set(selection, { rows: 0, unreadable: 0, warned: false });
      window.rows += countSentRows(list);
      window.unreadable += list.unreadable?.rows ?? 0;
      metrics?.gameRows.labels(selection, "read").inc(list.length);
      if (list.unreadable)
        metrics?.gameRows.labels(selection, "unreadable").inc(list.unreadable.rows);
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

function listsIn(answer: unknown): Rows<unknown>[] {
  if (Array.isArray(answer)) return [answer];
  return typeof answer === "object" && answer !== null
    ? Object.values(answer).filter(Array.isArray)
    : [];
}
