import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { FailureKind } from "#server/failures";
import type { SchemaField } from "./schema-fields";
import { WithCode } from "./with-code";

export function FieldTable({
  caption,
  fields,
}: {
  caption: string;
  fields: readonly SchemaField[];
}) {
  return (
    <Card flush>
      <DataTable
        caption={caption}
        rows={fields}
        rowKey={({ name }) => name}
        columns={[
          {
            header: "Name",
            primary: true,
            cell: ({ name, needed }) => (
              <>
                <code className="text-sm">{name}</code>
                {needed && <span className="ml-2 text-xs text-ink-faint">required</span>}
              </>
            ),
          },
          { header: "Type", cell: ({ type }) => type },
          {
            header: "Means",
            prose: true,
            cell: ({ description, absent }) => (
              <WithCode
                text={[description, absent && `Absent: \`${absent}\`.`].filter(Boolean).join(" ")}
              />
            ),
          },
        ]}
      />
    </Card>
  );
}

export function FailureTable({
  caption,
  failures,
}: {
  caption: string;
  failures: readonly FailureKind[];
}) {
  return (
    <Card flush>
      <DataTable
        caption={caption}
        rows={failures}
        rowKey={({ code, status }) => `${code}-${status}`}
        columns={[
          {
            header: "Name",
            primary: true,
            cell: ({ code, name }) => (
              <TextLink href={`/docs/errors/${code}`} className="font-medium">
                {name}
              </TextLink>
            ),
          },
          { header: "Code", numeric: true, cell: ({ code }) => code },
          { header: "Status", numeric: true, cell: ({ status }) => status },
          { header: "Message", prose: true, cell: ({ message }) => message },
        ]}
      />
    </Card>
  );
}
