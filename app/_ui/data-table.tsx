import type { ComponentProps, ReactNode } from "react";
import { Card } from "./card";
import { pathWith } from "./path-with";
import { type ColumnLook, type ColumnSort, TableView } from "./table-view";
import { Time } from "./time";

export type Column<Row> = ColumnLook & {
  /** Makes the column sortable. A column with `at` and `key` is sortable without it. */
  sortBy?: (row: Row) => SortValue;
} & (
    | { cell: (row: Row) => ReactNode; at?: never; never?: never }
    /** A time; `never` is the word for its absence. */
    | { cell?: never; at: (row: Row) => Date | null; never?: string }
  );

function cellOf<Row>({ cell, at, never = "Never" }: Column<Row>, row: Row): ReactNode {
  if (cell) return cell(row);
  const time = at(row);
  return time ? <Time at={time} /> : never;
}

type DataTableProps<Row> = {
  /** Read by screen readers; the card's title shows the same. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** Order from the address, for columns with `sortBy`. */
  order?: AskedOrder;
  /** Shows only these of the ordered rows. */
  part?: { readonly from: number; readonly to: number };
  empty?: ReactNode;
  /** True for comparing many rows: on a phone each row is two lines instead of a card. */
  dense?: boolean;
};

export function DataTable<Row>({
  caption,
  columns: named,
  rows: given,
  rowKey,
  order,
  part,
  empty,
  dense = false,
}: DataTableProps<Row>) {
  if (given.length === 0 && empty) return <>{empty}</>;
  const columns = named.map((column) =>
    column.key && column.at ? { sortBy: column.at, ...column } : column,
  );
  const { rows, sortOf } = order
    ? sortWithLinks(given, columns, order)
    : { rows: given, sortOf: () => undefined };
  return (
    <TableView
      caption={caption}
      dense={dense}
      columns={columns.map((column) => {
        const { cell, at, never, sortBy, ...look } = column;
        return { ...look, nowrap: look.nowrap ?? at !== undefined, sort: sortOf(column) };
      })}
      rows={rows.slice(part?.from, part?.to).map((row) => ({
        key: rowKey(row),
        cells: columns.map((column) => cellOf(column, row)),
      }))}
    />
  );
}

type TableCardProps<Row> = Omit<DataTableProps<Row>, "caption"> &
  Pick<ComponentProps<typeof Card>, "description" | "actions" | "footer"> &
  ({ title: string; caption?: string } | { title?: never; caption: string });

export function TableCard<Row>({
  title,
  caption = title ?? "",
  description,
  actions,
  footer,
  ...table
}: TableCardProps<Row>) {
  return (
    <Card title={title} description={description} actions={actions} footer={footer} flush>
      <DataTable caption={caption} {...table} />
    </Card>
  );
}

interface AskedOrder {
  /** "price" ascending, "-price" descending. Unknown names do not sort. */
  readonly typed: string | undefined;
  readonly page: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly anchor?: string;
}

/** Null sorts last. */
type SortValue = string | number | Date | null;

interface Sortable<Row> {
  readonly key?: string;
  readonly sortBy?: (row: Row) => SortValue;
}

export function sortWithLinks<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  asked: AskedOrder,
) {
  const { typed = "", page, query = {}, anchor } = asked;
  const [key, descending] = typed.startsWith("-") ? [typed.slice(1), true] : [typed, false];
  const value = columns.find((column) => column.key === key)?.sortBy;
  const sortOf = ({ key: column, sortBy }: Sortable<Row>): ColumnSort | undefined => {
    if (!sortBy || column === undefined) return undefined;
    const isSorted = column === key;
    // The first click sorts numbers descending, names ascending.
    const first = rows.some((row) => typeof sortBy(row) === "string") ? column : `-${column}`;
    const other = descending ? column : `-${column}`;
    const address = pathWith(page, { ...query, sort: isSorted ? other : first });
    return {
      href: anchor ? `${address}#${anchor}` : address,
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
