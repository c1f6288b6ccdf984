import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
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
            cell: ({ name, needed }) => (
              <>
                <code className="font-mono text-sm">{name}</code>
                {needed && <span className="ml-2 text-xs text-ink-faint">required</span>}
              </>
            ),
          },
          { key: "type", header: "Type", cell: ({ type }) => type },
          {
            key: "means",
            header: "Means",
            prose: true,
            cell: ({ description, absent }) => (
              <WithCode text={[description, absent && `Absent: \`${absent}\`.`].filter(Boolean).join(" ")} />
            ),
          },
        ]}
      />
    </Card>
  );
}
