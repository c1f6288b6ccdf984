"use client";

import type { ReactNode } from "react";
import { classNames } from "./class-names";
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

/** A column without its cells. */
export type ColumnLook = {
  /** Unique in the table. */
  key: string;
  header: ReactNode;
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
  /** The row takes two lines of three columns where it is narrow: classes of this cell there, and a word before it. */
  compact?: { className: string; label?: string };
};

export interface ColumnSort {
  /** The same page, ordered by this column; by its other end first where it is ordered by it already. */
  readonly href: string;
  readonly direction: "ascending" | "descending" | undefined;
}

type ViewedColumn = ColumnLook & { readonly sort: ColumnSort | undefined };

type Props = {
  caption: string;
  columns: readonly ViewedColumn[];
  /** Cells in the order of the columns. */
  rows: readonly { readonly key: string | number; readonly cells: readonly ReactNode[] }[];
};

const narrowCell =
  "max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-6 max-sm:py-1 max-sm:text-right";

/** The table around cells that are there already. A client component: a server draws it at a fifth of the cost. */
export function TableView({ caption, columns, rows }: Props) {
  const isCompact = columns.some(({ compact }) => compact);
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
              aria-sort={column.sort?.direction}
              className={classNames(
                "px-3 py-2 text-xs font-medium whitespace-nowrap text-ink-faint first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5",
                column.numeric || column.actions ? "text-right" : "text-left",
              )}
            >
              {column.actions ? (
                <span className="sr-only">{column.header}</span>
              ) : (
                <ColumnHeader header={column.header} sort={column.sort} />
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role={tableRoles.rowgroup} className="divide-y divide-line max-sm:block">
        {rows.map((row) => (
          <tr
            role={tableRoles.row}
            key={row.key}
            className={classNames(
              "hover:bg-accent-wash/40 max-sm:px-4",
              isCompact
                ? "max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)_auto] max-sm:gap-x-2 max-sm:py-2"
                : "max-sm:block max-sm:py-3",
            )}
          >
            {columns.map((column, index) => (
              <TableCell key={column.key} column={column}>
                {row.cells[index]}
              </TableCell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!columns.some(({ sort }) => sort)) return table;
  return (
    <>
      <p className="flex flex-wrap gap-x-3 gap-y-1 px-4 py-3 text-sm sm:hidden">
        <span className="text-ink-faint">Sort by</span>
        {columns.map(
          ({ key, header, sort }) => sort && <SortLink key={key} header={header} {...sort} />,
        )}
      </p>
      {table}
    </>
  );
}

function TableCell({ column, children }: { column: ColumnLook; children: ReactNode }) {
  const { header, primary, actions, prose, compact, numeric, nowrap } = column;
  const Cell = primary ? "th" : "td";
  return (
    <Cell
      role={primary ? tableRoles.rowheader : tableRoles.cell}
      scope={primary ? "row" : undefined}
      className={classNames(
        "text-left align-middle font-normal sm:px-3 sm:py-2.75 sm:first:pl-5 sm:last:pr-5",
        compact
          ? `max-sm:block ${compact.className}`
          : primary
            ? "max-sm:block max-sm:pb-1.5 max-sm:text-base"
            : prose
              ? "max-sm:block max-sm:py-1"
              : narrowCell,
        numeric && "tabular sm:text-right",
        actions && "sm:text-right",
        nowrap && "whitespace-nowrap",
      )}
    >
      {compact?.label && (
        <span className="sm:hidden" aria-hidden="true">
          {compact.label}{" "}
        </span>
      )}
      {!primary && !actions && !compact && (
        <span className="flex-none text-ink-faint sm:hidden" aria-hidden="true">
          {header}
        </span>
      )}
      {primary || compact ? children : <div className="min-w-0">{children}</div>}
    </Cell>
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
function SortLink({
  header,
  href,
  direction,
  className,
}: ColumnSort & { header: ReactNode; className?: string }) {
  return (
    <TextLink
      href={href}
      plain
      className={classNames("underline-offset-4 hover:underline", className)}
    >
      {header}
      {direction && <span aria-hidden="true"> {arrows[direction]}</span>}
    </TextLink>
  );
}
