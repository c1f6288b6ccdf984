import { formatCount, visibleText } from "#app/_lib/format";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { reportReasons } from "#server/oauth/reports/contract";
import type { Answers } from "#server/portal/router";

type Props = Pick<Answers["admin"]["application"], "reports">;

/** The developer never sees them. */
export function Reports({ reports: { count, newest } }: Props) {
  if (count === 0) return null;
  const older = count - newest.length;
  return (
    <Card
      title={formatCount(count, "open report")}
      description="Only admins see who reported."
      footer={older > 0 && <span>{formatCount(older, "older report")} not shown.</span>}
      flush
    >
      <DataTable
        caption="Open reports"
        dense
        rows={newest}
        rowKey={({ id }) => id}
        columns={[
          {
            header: "Reason",
            primary: true,
            cell: ({ reason, text }) => (
              <span className="block min-w-0">
                {reportReasons[reason]}
                {text !== "" && (
                  <bdi className="block text-sm font-normal wrap-anywhere whitespace-pre-line text-ink-soft">
                    {text.split(/\r?\n/).map(visibleText).join("\n")}
                  </bdi>
                )}
              </span>
            ),
          },
          {
            header: "Reported by",
            cell: ({ reporter }) => (
              <TextLink
                href={`/admin/accounts/${reporter.accountId}`}
                plain
                className="hover:underline"
              >
                <PlayerName {...reporter} />
              </TextLink>
            ),
          },
          { header: "At", at: ({ reportedAt }) => reportedAt },
        ]}
      />
    </Card>
  );
}
