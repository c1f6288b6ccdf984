import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { type AskedOrder, type ColumnSort, type SortValue, sortRows } from "./sort-rows";
import { TextLink } from "./text-link";

/**
 * Written out, though each says what its element means already: a browser drops a table's own meaning when its parts are
 * laid out as blocks, as they are on a narrow screen.
 */
export const tableRoles = {
  table: "table",
  rowgroup: "rowgroup",
  row: "row",
  columnheader: "columnheader",
  rowheader: "rowheader",
  cell: "cell",
} as const;

export type Column<Row> = {
  /** Unique in the table. */
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers people compare: right-aligned, in figures of one width. */
  numeric?: boolean;
  /** The row's name: its heading for assistive technology, and its title where rows are stacked. */
  primary?: boolean;
  /** A column of buttons: its header is read out but not shown. */
  actions?: boolean;
  /** Sentences: where rows are stacked they stand below their name, not beside it. */
  prose?: boolean;
  /** Kept on one line. */
  nowrap?: boolean;
  /** What the table is ordered by, where `order` names this column; its header leads to the same table in that order. */
  sortBy?: (row: Row) => SortValue;
  /** The row takes two lines of three columns where it is narrow: classes of this cell there, and a word before it. */
  compact?: { className: string; label?: string };
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

const narrowCell =
  "max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-6 max-sm:py-1 max-sm:text-right";

/**
 * A table. Below 640 px each row becomes a block of named values, so nothing scrolls sideways; the roles are written out
 * because a browser drops a table's own meaning when its parts are laid out otherwise. Many rows that are compared are better kept
 * compact, two lines each.
 */
export function DataTable<Row>({ caption, columns, rows: given, rowKey, order, empty }: DataTableProps<Row>) {
  const isCompact = columns.some(({ compact }) => compact);
  if (given.length === 0 && empty) return <>{empty}</>;
  const { rows, sortOf } = order ? sortRows(given, columns, order) : { rows: given, sortOf: () => undefined };
  const table = (
    <table role={tableRoles.table} className="w-full border-collapse text-sm max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead role={tableRoles.rowgroup} className="max-sm:sr-only">
        <tr role={tableRoles.row} className="border-b border-line">
          {columns.map((column) => (
            <th
              role={tableRoles.columnheader}
              key={column.key}
              scope="col"
              aria-sort={sortOf(column)?.direction}
              className={classNames(
                "px-3 py-2 text-xs font-medium whitespace-nowrap text-ink-faint first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5",
                column.numeric || column.actions ? "text-right" : "text-left",
              )}
            >
              {column.actions ? (
                <span className="sr-only">{column.header}</span>
              ) : (
                <ColumnHeader header={column.header} sort={sortOf(column)} />
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role={tableRoles.rowgroup} className="divide-y divide-line max-sm:block">
        {rows.map((row) => (
          <tr
            role={tableRoles.row}
            key={rowKey(row)}
            className={classNames(
              "hover:bg-accent-wash/40 max-sm:px-4",
              isCompact
                ? "max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)_auto] max-sm:gap-x-2 max-sm:py-2"
                : "max-sm:block max-sm:py-3",
            )}
          >
            {columns.map((column) => {
              const Cell = column.primary ? "th" : "td";
              return (
                <Cell
                  role={column.primary ? tableRoles.rowheader : tableRoles.cell}
                  scope={column.primary ? "row" : undefined}
                  key={column.key}
                  className={classNames(
                    "text-left align-middle font-normal sm:px-3 sm:py-2.75 sm:first:pl-5 sm:last:pr-5",
                    column.compact
                      ? `max-sm:block ${column.compact.className}`
                      : column.primary
                        ? "max-sm:block max-sm:pb-1.5 max-sm:text-base"
                        : column.prose
                          ? "max-sm:block max-sm:py-1"
                          : narrowCell,
                    column.numeric && "tabular sm:text-right",
                    column.actions && "sm:text-right",
                    column.nowrap && "whitespace-nowrap",
                  )}
                >
                  {column.compact?.label && (
                    <span className="sm:hidden" aria-hidden="true">
                      {column.compact.label}{" "}
                    </span>
                  )}
                  {!column.primary && !column.actions && !column.compact && (
                    <span className="flex-none text-ink-faint sm:hidden" aria-hidden="true">
                      {column.header}
                    </span>
                  )}
                  {column.primary || column.compact ? (
                    column.cell(row)
                  ) : (
                    <div className="min-w-0">{column.cell(row)}</div>
                  )}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!order) return table;
  return (
    <>
      <p className="flex flex-wrap gap-x-3 gap-y-1 px-4 py-3 text-sm sm:hidden">
        <span className="text-ink-faint">Sort by</span>
        {columns.map((column) => {
          const sort = sortOf(column);
          return sort && <SortLink key={column.key} header={column.header} {...sort} />;
        })}
      </p>
      {table}
    </>
  );
}

const arrows = { ascending: "↑", descending: "↓" } as const;

/** Where it is narrow, headers are read out alone: their links stand above the table there. */
function ColumnHeader({ header, sort }: { header: ReactNode; sort: ColumnSort | undefined }) {
  if (!sort) return header;
  return (
    <>
      <span className="sm:hidden">{header}</span>
      <SortLink header={header} {...sort} className="max-sm:hidden" />
    </>
  );
}

/** The name of a column, which leads to the table in its order. */
function SortLink({ header, href, direction, className }: ColumnSort & { header: ReactNode; className?: string }) {
  return (
    <TextLink href={href} plain className={classNames("underline-offset-4 hover:underline", className)}>
      {header}
      {direction && <span aria-hidden="true"> {arrows[direction]}</span>}
    </TextLink>
  );
}
