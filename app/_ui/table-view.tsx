"use client";

import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { TextLink } from "./text-link";

/** Explicit roles: browsers drop table roles under `display: block`. */
const roles = {
  table: "table",
  rowgroup: "rowgroup",
  row: "row",
  columnheader: "columnheader",
  rowheader: "rowheader",
  cell: "cell",
} as const;

export type ColumnLook = {
  /** Names the order in an address, and a column that has no text as header. */
  key?: string;
  header: ReactNode;
  numeric?: boolean;
  /** Row header, and first line of a two-line row. */
  primary?: boolean;
  /** Placed before the row header in a two-line row. */
  lead?: boolean;
  /** Buttons; the header is for screen readers only. */
  actions?: boolean;
  /** Sentences, which get lines of their own in a two-line row. */
  prose?: boolean;
  nowrap?: boolean;
  /** One line with an ellipsis. */
  line?: boolean;
  /** The cell needs no label in card layout. */
  unlabelled?: boolean;
};

export interface ColumnSort {
  /** Sorts by this column, in reverse if the list is sorted by it already. */
  readonly href: string;
  readonly direction: "ascending" | "descending" | undefined;
}

type ViewedColumn = ColumnLook & { readonly sort: ColumnSort | undefined };

type Props = {
  caption: string;
  columns: readonly ViewedColumn[];
  rows: readonly { readonly key: string | number; readonly cells: readonly ReactNode[] }[];
  /** True for comparing many rows: on a phone each row is two lines instead of a card. */
  dense: boolean;
};

/**
 * Styled by table.css. A client component, because the server then renders it at a fifth of the
 * cost.
 */
export function TableView({ caption, columns, rows, dense }: Props) {
  const sorted = columns.filter(({ sort }) => sort);
  const labelled = columns.filter(needsLabel);
  return (
    <div className={classNames("data-table", tableFrom(columns), !dense && "table-cards")}>
      {sorted.length > 0 && (
        <p className="sort-links flex-wrap gap-x-3 gap-y-1 text-sm">
          <span className="text-ink-faint">Sort by</span>
          {sorted.map(
            ({ key, header, sort }) => sort && <SortLink key={key} header={header} {...sort} />,
          )}
        </p>
      )}
      <table role={roles.table}>
        <caption className="sr-only">{caption}</caption>
        <thead role={roles.rowgroup}>
          <tr role={roles.row}>
            {columns.map((column) => (
              <th
                role={roles.columnheader}
                key={keyOf(column)}
                scope="col"
                aria-sort={column.sort?.direction}
                className={
                  column.numeric ? "cell-numeric" : column.actions ? "cell-actions" : undefined
                }
              >
                {column.actions ? (
                  <span className="sr-only">{column.header}</span>
                ) : column.sort ? (
                  <SortLink header={column.header} {...column.sort} />
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role={roles.rowgroup}>
          {rows.map((row) => (
            <tr role={roles.row} key={row.key}>
              {columns.map((column, index) => (
                <TableCell
                  key={keyOf(column)}
                  column={column}
                  label={labelled.includes(column) && column.header}
                >
                  {row.cells[index]}
                </TableCell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const keyOf = ({ key, header }: ColumnLook) => key ?? String(header);

/** Prose needs a label only if there are several such columns. */
function needsLabel(column: ColumnLook, _: number, columns: readonly ColumnLook[]): boolean {
  if (column.primary || column.actions || column.unlabelled) return false;
  return !column.prose || columns.filter(({ prose }) => prose).length > 1;
}

type TableCellProps = { column: ColumnLook; label: ReactNode; children: ReactNode };

function TableCell({ column, label, children }: TableCellProps) {
  const { primary } = column;
  const Cell = primary ? "th" : "td";
  return (
    <Cell
      role={primary ? roles.rowheader : roles.cell}
      scope={primary ? "row" : undefined}
      className={cellClass(column)}
    >
      {label ? (
        <>
          <span className="cell-label" aria-hidden="true">
            {label}{" "}
          </span>
          <div className="cell-value">{children}</div>
        </>
      ) : (
        children
      )}
    </Cell>
  );
}

function cellClass({ numeric, primary, lead, actions, prose, nowrap, line }: ColumnLook): string {
  if (actions) return "cell-actions";
  if (lead) return "cell-nowrap cell-lead";
  if (primary) return line ? "cell-primary cell-line" : "cell-primary";
  if (prose) return "cell-prose";
  if (numeric) return "cell-numeric";
  return nowrap ? "cell-nowrap" : "cell-text";
}

/** Breakpoints of table.css in rem. The fifth is that of a page beside a navigation. */
const tableWidths = [30, 36, 42, 47, 53, 60, 68];

function tableFrom(columns: readonly ColumnLook[]): string {
  const oneOfProse = columns.filter(({ prose }) => prose).length === 1;
  const needed = columns.reduce((sum, column) => sum + neededWidth(column, oneOfProse), 1);
  return `table-from-${tableWidths.find((width) => needed <= width) ?? tableWidths.at(-1)}`;
}

const remPerLetter = 0.4;
const padding = 1.5;

/** @param alone a single column of prose gets longer lines */
function neededWidth(
  { header, numeric, primary, lead, actions, prose, nowrap }: ColumnLook,
  alone: boolean,
): number {
  if (actions) return 7;
  if (primary) return 11;
  if (prose) return alone ? 14 : 9;
  const word = typeof header === "string" ? header.length * remPerLetter + padding : 0;
  return Math.max(word, nowrap || lead ? 8 : numeric ? 5 : 6);
}

const arrows = { ascending: "↑", descending: "↓" } as const;

function SortLink({ header, href, direction }: ColumnSort & { header: ReactNode }) {
  return (
    <TextLink href={href} plain className="underline-offset-4 hover:underline">
      {header}
      {direction && <span aria-hidden="true"> {arrows[direction]}</span>}
    </TextLink>
  );
}
