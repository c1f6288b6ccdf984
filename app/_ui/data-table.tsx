import type { ReactNode } from "react";
import { type AskedOrder, type SortValue, sortRows } from "./sort-rows";
import { type ColumnLook, TableView } from "./table-view";

export type Column<Row> = ColumnLook & {
  cell: (row: Row) => ReactNode;
  /** What the table is ordered by, where `order` names this column; its header leads to the same table in that order. */
  sortBy?: (row: Row) => SortValue;
};

type DataTableProps<Row> = {
  /** What the table lists. Read out; shown by the card around it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** How the address orders the rows, where columns have a `sortBy`. */
  order?: AskedOrder;
  /** What stands in place of the rows when there are none. */
  empty?: ReactNode;
};

/**
 * A table. Below 640 px each row becomes a block of named values, so nothing scrolls sideways. Many rows that are compared are
 * better kept compact, two lines each.
 */
export function DataTable<Row>({ caption, columns, rows: given, rowKey, order, empty }: DataTableProps<Row>) {
  if (given.length === 0 && empty) return <>{empty}</>;
  const { rows, sortOf } = order ? sortRows(given, columns, order) : { rows: given, sortOf: () => undefined };
  return (
    <TableView
      caption={caption}
      columns={columns.map((column) => {
        const { cell, sortBy, ...look } = column;
        return { ...look, sort: sortOf(column) };
      })}
      rows={rows.map((row) => ({ key: rowKey(row), cells: columns.map(({ cell }) => cell(row)) }))}
    />
  );
}
