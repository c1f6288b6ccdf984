import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { WithCode } from "./with-code";

type Props<Row> = {
  caption: string;
  /** What the names are: "Parameter", "error". */
  header: string;
  /** The names are words, not code. */
  words?: boolean;
  rows: readonly Row[];
  /** Sentences about each; what stands between backticks is code. */
  columns: readonly { header: string; text: (row: Row) => string; nowrap?: boolean }[];
};

/** A table of things with names. */
export function NamedTable<Row extends { readonly name: string }>({
  caption,
  header,
  words = false,
  rows,
  columns,
}: Props<Row>) {
  const name = (row: Row) => (words ? row.name : <code className="font-mono text-sm">{row.name}</code>);
  return (
    <Card flush>
      <DataTable
        caption={caption}
        rows={rows}
        rowKey={(row) => row.name}
        columns={[
          { key: "name", header, primary: true, cell: name },
          ...columns.map(({ header, text, nowrap = false }) => ({
            key: header,
            header,
            nowrap,
            prose: !nowrap,
            cell: (row: Row) => <WithCode text={text(row)} />,
          })),
        ]}
      />
    </Card>
  );
}
