"use client";

import { tableRoles } from "#app/_ui/table-view.tsx";

type Props = {
  columns: readonly { readonly title: string; readonly question: string }[];
  /** Answers in the order of the columns. */
  rows: readonly { readonly what: string; readonly answers: readonly string[] }[];
};

/** Kinds of data down, the questions of the game's rules across. Where it is narrow each answer stands below its question. */
export function DeclarationTable({ columns, rows }: Props) {
  return (
    <div className="mt-4 overflow-clip rounded-card border border-line bg-surface">
      <table role={tableRoles.table} className="w-full border-collapse text-sm max-md:block">
        <caption className="sr-only">
          What is stored when you sign in, who sees it and what it is for
        </caption>
        <thead role={tableRoles.rowgroup} className="bg-sunken max-md:sr-only">
          <tr role={tableRoles.row} className="border-b border-line">
            <th role={tableRoles.columnheader} scope="col" className="px-4 py-3">
              <span className="sr-only">Kind of data</span>
            </th>
            {columns.map((column) => (
              <th
                role={tableRoles.columnheader}
                key={column.title}
                scope="col"
                className="px-3 py-3 text-left align-top"
              >
                <span className="block font-medium">{column.title}</span>
                <span className="block text-xs font-normal text-ink-faint">{column.question}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role={tableRoles.rowgroup} className="divide-y divide-line max-md:block">
          {rows.map((row) => (
            <tr
              role={tableRoles.row}
              key={row.what}
              className="align-top max-md:block max-md:px-4 max-md:py-4"
            >
              <th
                role={tableRoles.rowheader}
                scope="row"
                className="text-left font-medium max-md:block max-md:text-base md:w-32 md:px-4 md:py-3.5"
              >
                {row.what}
              </th>
              {row.answers.map((answer, index) => (
                <td
                  role={tableRoles.cell}
                  key={columns[index]?.title}
                  className="text-ink-soft max-md:mt-2 max-md:block md:px-3 md:py-3.5"
                >
                  <span
                    className="block text-xs font-medium text-ink-faint md:hidden"
                    aria-hidden="true"
                  >
                    {columns[index]?.title}
                  </span>
                  {answer}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
