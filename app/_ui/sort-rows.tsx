/** What a table is ordered by; null where a row has none, which comes last. */
export type SortValue = string | number | Date | null;

interface Sortable<Row> {
  readonly key: string;
  readonly sortBy?: (row: Row) => SortValue;
}

export interface ColumnSort {
  /** The same page, ordered by this column; by its other end first where it is ordered by it already. */
  readonly href: string;
  readonly direction: "ascending" | "descending" | undefined;
}

/** The order that an address asks for. */
export interface AskedOrder {
  /** "price" for the smallest first, "-price" for the largest. What names no column orders nothing. */
  readonly typed: string | undefined;
  readonly page: string;
  /** What else the address says. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** The part of the page that the table is in. */
  readonly anchor?: string;
}

/** Orders a table as its address says, and gives the address of each other order. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Sortable<Row>[], asked: AskedOrder) {
  const { typed = "", page, query = {}, anchor } = asked;
  const [key, descending] = typed.startsWith("-") ? [typed.slice(1), true] : [typed, false];
  const value = columns.find((column) => column.key === key)?.sortBy;
  const sortOf = ({ key: column, sortBy }: Sortable<Row>): ColumnSort | undefined => {
    if (!sortBy) return undefined;
    const isSorted = column === key;
    // The most of a thing is what people look for first; of names it is the first.
    const first = rows.some((row) => typeof sortBy(row) === "string") ? column : `-${column}`;
    const other = descending ? column : `-${column}`;
    const entries = Object.entries({ ...query, sort: isSorted ? other : first });
    const search = new URLSearchParams(entries.flatMap(([name, text]) => (text ? [[name, text]] : [])));
    return {
      href: `${page}?${search}${anchor ? `#${anchor}` : ""}`,
      direction: isSorted ? (descending ? "descending" : "ascending") : undefined,
    };
  };
  return { rows: value ? rows.toSorted((a, b) => compare(value(a), value(b), descending)) : rows, sortOf };
}

function compare(one: SortValue, other: SortValue, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const order = typeof one === "string" ? one.localeCompare(String(other), "en") : Number(one) - Number(other);
  return descending ? -order : order;
}
