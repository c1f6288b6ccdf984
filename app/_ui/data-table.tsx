import type { ReactNode } from "react";
import { type ColumnLook, type ColumnSort, TableView } from "./table-view";

export type Column<Row> = ColumnLook & {
  cell: (row: Row) => ReactNode;
  /** Orders the rows where `order` names this column; its header links to the table in that order. */
  sortBy?: (row: Row) => SortValue;
};

type DataTableProps<Row> = {
  /** Read out; the card around it shows it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** How the address orders the rows, where columns have a `sortBy`. */
  order?: AskedOrder;
  /** Shown in place of the table when it has no rows. */
  empty?: ReactNode;
  /** Many rows that are compared: two lines each on a phone, not a card. */
  dense?: boolean;
};

/** A table, which takes the shape that its place has room for. */
export function DataTable<Row>({
  caption,
  columns,
  rows: given,
  rowKey,
  order,
  empty,
  dense = false,
}: DataTableProps<Row>) {
  if (given.length === 0 && empty) return <>{empty}</>;
  const { rows, sortOf } = order
    ? sortRows(given, columns, order)
    : { rows: given, sortOf: () => undefined };
  return (
    <TableView
      caption={caption}
      dense={dense}
      columns={columns.map((column) => {
        const { cell, sortBy, ...look } = column;
        return { ...look, sort: sortOf(column) };
      })}
      rows={rows.map((row) => ({ key: rowKey(row), cells: columns.map(({ cell }) => cell(row)) }))}
    />
  );
}

/** The order that an address asks for. */
interface AskedOrder {
  /** "price" for the smallest first, "-price" for the largest. What names no column orders nothing. */
  readonly typed: string | undefined;
  readonly page: string;
  /** The rest of the address's query. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** The part of the page that the table is in. */
  readonly anchor?: string;
}

/** The value by which a row is ordered; null where it has none, which comes last. */
type SortValue = string | number | Date | null;

interface Sortable<Row> {
  readonly key: string;
  readonly sortBy?: (row: Row) => SortValue;
}

/** Orders a table as its address says, and gives the address of each other order. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  asked: AskedOrder,
) {
  const { typed = "", page, query = {}, anchor } = asked;
  const [key, descending] = typed.startsWith("-") ? [typed.slice(1), true] : [typed, false];
  const value = columns.find((column) => column.key === key)?.sortBy;
  const sortOf = ({ key: column, sortBy }: Sortable<Row>): ColumnSort | undefined => {
    if (!sortBy) return undefined;
    const isSorted = column === key;
    // Figures begin with the largest, names with the first.
    const first = rows.some((row) => typeof sortBy(row) === "string") ? column : `-${column}`;
    const other = descending ? column : `-${column}`;
    const entries = Object.entries({ ...query, sort: isSorted ? other : first });
    const search = new URLSearchParams(
      entries.flatMap(([name, text]) => (text ? [[name, text]] : [])),
    );
    return {
      href: `${page}?${search}${anchor ? `#${anchor}` : ""}`,
      direction: isSorted ? (descending ? "descending" : "ascending") : undefined,
    };
  };
  return {
    rows: value ? rows.toSorted((a, b) => compare(value(a), value(b), descending)) : rows,
    sortOf,
  };
}

function compare(one: SortValue, other: SortValue, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const order =
    typeof one === "string" ? one.localeCompare(String(other), "en") : Number(one) - Number(other);
  return descending ? -order : order;
}
