import { formatCount, formatNumber, visibleText } from "#app/_lib/format";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { reportReasons } from "#server/oauth/reports/report-acts";
import type { Answers } from "#server/portal/router";
import { ActWithReason, type Typed } from "./admin-acts";
import { Pager } from "./searched-list";

type Props = { clientId: string; reports: Answers["admin"]["reports"] };

const pageOf = (clientId: string) => `/admin/applications/${clientId}`;
const noteReader = "A note for admins, kept in the audit log.";

export function AnswerReports({ clientId, reports, typed }: Props & { typed: Typed }) {
  const { reasons, count, until } = reports;
  const form = {
    ...{ action: `${pageOf(clientId)}/act`, fields: { until: until.toISOString() } },
    ...{ tone: "plain" as const, typed, reader: noteReader },
  };
  return (
    <Card
      title={formatCount(count, "open report")}
      description="An answer closes all of them. The reporters get a notice without your note."
    >
      <ul className="mb-4 grid gap-1">
        {reasons.map(({ reason, reports: times }) => (
          <li key={reason}>
            <span className="tabular font-medium">{formatNumber(times)}</span>{" "}
            {reportReasons[reason]}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <ActWithReason
          {...form}
          label="Dismiss reports"
          act="dismiss"
          consequences="The reporters read that you found no reason to act."
        />
        <ActWithReason
          {...form}
          label="Mark as acted on"
          act="acted"
          consequences="The reporters read that you acted. Suspend the application first if it must stop."
        />
      </div>
    </Card>
  );
}

/** The developer never sees them. */
export const Reports = ({ clientId, reports, page }: Props & { page: number }) => (
  <>
    <Card title="Reports" description="Newest first. Only admins see them." flush>
      <DataTable
        caption="Open reports"
        dense
        rows={reports.rows}
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
    <Pager action={pageOf(clientId)} query={{}} page={page} more={reports.more} />
  </>
);
