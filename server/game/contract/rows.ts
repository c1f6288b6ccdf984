import { z } from "zod";

/** The rows of a list that could be read. */
export interface Rows<Row> extends Array<Row> {
  /** What could not be, where there is any: how many rows, and which fields of the first few were wrong. */
  readonly unreadable?: { readonly rows: number; readonly why: readonly string[] };
}

/** As many wrong fields as the log names. */
const mostNamed = 3;

/**
 * A list of the game, read row by row: one that is not as `row` says is left out and counted, and costs none of the others.
 * A list of several of which none can be read is not the list that was asked for, and refuses the answer.
 */
export const rowsOf = <Row extends z.ZodType>(row: Row) =>
  z.array(z.unknown()).transform((listed, context): Rows<z.output<Row>> => {
    const read: z.output<Row>[] = [];
    const why: string[] = [];
    for (const one of listed) {
      const parsed = row.safeParse(one);
      if (parsed.success) read.push(parsed.data);
      else if (why.length < mostNamed) why.push(describeIssue(parsed.error.issues[0]));
    }
    const rows = listed.length - read.length;
    if (rows > 1 && read.length === 0) {
      context.addIssue({ code: "custom", message: "no row can be read" });
      return z.NEVER;
    }
    return rows === 0 ? read : Object.defineProperty(read, "unreadable", { value: { rows, why } });
  });

/** How many rows the game sent: what decides whether a page was full. */
export const rowsSent = (rows: Rows<unknown>): number => rows.length + (rows.unreadable?.rows ?? 0);

/** Rows that could not be read, as a run of a job counts them; nothing where there were none. */
export function countUnreadable(...lists: readonly Rows<unknown>[]): { readonly unreadable?: number } {
  const unreadable = lists.reduce((sum, list) => sum + (list.unreadable?.rows ?? 0), 0);
  return unreadable === 0 ? {} : { unreadable };
}

/** Field and kind of an issue, as the log may name them: a name comes from the answer, which could quote anything. */
export function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const fields = (issue?.path ?? []).map((part) => (/^([a-z_]{1,30}|[0-9]+)$/.test(String(part)) ? String(part) : "?"));
  return `${fields.join(".")} ${issue?.code ?? ""}`.trim();
}
