import { Card } from "#ui/card";
import { DataTable } from "#ui/data-table";
import type { SchemaField } from "./schema-fields";
import { WithCode } from "./with-code";

/** Fields with their types and meanings. */
export function FieldTable({ caption, fields }: { caption: string; fields: readonly SchemaField[] }) {
  return (
    <Card flush>
      <DataTable
        caption={caption}
        rows={fields}
        rowKey={({ name }) => name}
        columns={[
          {
            key: "name",
            header: "Name",
            primary: true,
            cell: ({ name }) => <code className="font-mono text-sm">{name}</code>,
          },
          { key: "type", header: "Type", nowrap: true, cell: ({ type }) => type },
          { key: "means", header: "Means", prose: true, cell: ({ description }) => <WithCode text={description} /> },
        ]}
      />
    </Card>
  );
}
