import { toUnixSeconds } from "#server/platform/time";

/** Unix seconds, both ends inclusive. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  readonly sort: "ASC" | "DESC";
}

interface Links {
  readonly _metadata: {
    readonly links: { readonly next: string | null; readonly prev: string | null };
  };
}

const mostRows = 100;

/** Null if the parameter is absent or not a whole number. */
export function wholeNumber(url: URL, name: string): number | null {
  const text = url.searchParams.get(name);
  return text !== null && /^[0-9]{1,12}$/.test(text) ? Number(text) : null;
}

const limitOf = (url: URL, usual: number) =>
  Math.min(mostRows, Math.max(1, wholeNumber(url, "limit") ?? usual));

/** Defaults to everything up to now, newest first. `from` is exclusive unless `fromIncluded`. */
export function timeRange(url: URL, now: Date, fromIncluded: boolean): TimeRange {
  const present = toUnixSeconds(now);
  return {
    from: (wholeNumber(url, "from") ?? -1) + (fromIncluded ? 0 : 1),
    to: Math.min(wholeNumber(url, "to") ?? present, present),
    sort: url.searchParams.get("sort")?.toUpperCase() === "ASC" ? "ASC" : "DESC",
  };
}

/** Full URL of another page, without the key. A null removes the parameter. */
function link(url: URL, changes: Readonly<Record<string, string | number | null>>): string {
  const other = new URL(url);
  for (const name of ["key", "timestamp"]) other.searchParams.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) other.searchParams.delete(name);
    else other.searchParams.set(name, String(value));
  }
  return other.href;
}

function take<Row>(rows: Iterable<Row>, count: number): Row[] {
  const taken: Row[] = [];
  if (count <= 0) return taken;
  for (const row of rows) {
    taken.push(row);
    if (taken.length === count) break;
  }
  return taken;
}

/**
 * One page of a list in time with `_metadata.links`: `next` continues in reading order, `prev` goes
 * back. The edge row is on both pages, so readers deduplicate by id.
 * @param source `rows` yields the range lazily in its order; `at` gives a row's Unix seconds
 */
export function pageByTime<Row>(
  asked: { readonly url: URL; readonly now: Date; readonly fromIncluded: boolean },
  source: { rows(range: TimeRange): Iterable<Row>; at(row: Row): number },
): Links & { readonly rows: readonly Row[] } {
  const { url, fromIncluded } = asked;
  const range = timeRange(url, asked.now, fromIncluded);
  const limit = limitOf(url, mostRows);
  const found = take(source.rows(range), limit + 1);
  const rows = found.slice(0, limit);
  const [first, last] = [rows[0], rows.at(-1)];
  const [ahead, behind] =
    range.sort === "DESC" ? (["to", "from"] as const) : (["from", "to"] as const);
  const edge = (name: "from" | "to", row: Row) =>
    source.at(row) - (name === "from" && !fromIncluded ? 1 : 0);
  const back = range.sort === "DESC" ? "ASC" : "DESC";
  const next =
    last !== undefined && found.length > limit ? link(url, { [ahead]: edge(ahead, last) }) : null;
  const asksFurther = url.searchParams.has(ahead) && first !== undefined;
  const prev = asksFurther
    ? link(url, { [behind]: edge(behind, first), [ahead]: null, sort: back })
    : null;
  return { rows, _metadata: { links: { next, prev } } };
}

/**
 * One page of a list by `offset`, with `_metadata.links`.
 * @param usual default page size
 */
export function pageByOffset<Row>(
  url: URL,
  all: Iterable<Row>,
  usual = mostRows,
): Links & { readonly rows: readonly Row[] } {
  const offset = wholeNumber(url, "offset") ?? 0;
  const limit = limitOf(url, usual);
  const found = take(all, offset + limit + 1).slice(offset);
  const next = found.length > limit ? link(url, { offset: offset + limit }) : null;
  const prev = offset > 0 ? link(url, { offset: Math.max(0, offset - limit) }) : null;
  return { rows: found.slice(0, limit), _metadata: { links: { next, prev } } };
}
