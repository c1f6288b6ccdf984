import type { Counts } from "#server/jobs/job";

/** Rows that were due and still there when the sweeper's last run ended. Each table is counted up to 10,000. */
export interface Backlog {
  readonly rows: number;
  readonly tables: Readonly<Record<string, number>>;
}

const prefix = "due.";

/** The backlog that a run of the sweeper counted; null before the first. */
export function backlogIn(counts: Counts | null): Backlog | null {
  if (counts === null) return null;
  const due = Object.entries(counts).filter(([name]) => name.startsWith(prefix));
  return {
    rows: counts.due ?? 0,
    tables: Object.fromEntries(due.map(([name, rows]) => [name.slice(prefix.length), rows])),
  };
}
