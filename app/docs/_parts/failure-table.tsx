import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { FailureKind } from "#server/failures";

/** Failures of the catalogue, each with a link to its page. */
export function FailureTable({ caption, failures }: { caption: string; failures: readonly FailureKind[] }) {
  return (
    <Card flush>
      <DataTable
        caption={caption}
        rows={failures}
        rowKey={({ code, status }) => `${code}-${status}`}
        columns={[
          {
            key: "name",
            header: "Name",
            primary: true,
            cell: ({ code, name }) => (
              <TextLink href={`/docs/errors/${code}`} className="font-medium">
                {name}
              </TextLink>
            ),
          },
          { key: "code", header: "Code", numeric: true, cell: ({ code }) => code },
          { key: "status", header: "Status", numeric: true, cell: ({ status }) => status },
          { key: "message", header: "Message", prose: true, cell: ({ message }) => message },
        ]}
      />
    </Card>
  );
}
