import { DataTable } from "#app/_ui/data-table.tsx";

type Props = {
  columns: readonly { readonly title: string; readonly question: string }[];
  /** In column order. */
  rows: readonly { readonly what: string; readonly answers: readonly string[] }[];
};

/** The questions of the game's rules across, kinds of data down. */
export function DeclarationTable({ columns, rows }: Props) {
  return (
    <div className="mt-4 overflow-clip rounded-card border border-line bg-surface">
      <DataTable
        caption="What is stored when you sign in, who sees it and what it is for"
        rows={rows}
        rowKey={({ what }) => what}
        columns={[
          {
            key: "what",
            header: <span className="sr-only">Kind of data</span>,
            primary: true,
            cell: ({ what }) => <span className="font-medium">{what}</span>,
          },
          ...columns.map(({ title, question }, index) => ({
            key: title,
            header: <span title={question}>{title}</span>,
            prose: true,
            cell: ({ answers }: Props["rows"][number]) => (
              <span className="text-ink-soft">{answers[index]}</span>
            ),
          })),
        ]}
      />
    </div>
  );
}
