import { Flag } from "lucide-react";
import { caller } from "#app/_lib/caller";
import { adminTitle, requireAdmin } from "#app/_lib/current-user";
import { formatNumber, visibleText } from "#app/_lib/format";
import { readPage, type SearchParams } from "#app/_lib/search-params";
import { Emblem } from "#app/_parts/emblem.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { reportReasons } from "#server/oauth/reports/report-acts";
import { ApplicationState } from "../_parts/judge-application";
import { Pager } from "../_parts/searched-list";

export const generateMetadata = () => adminTitle("Reports");

/** Open reports, by application. */
export default async function Reports({ searchParams }: { searchParams: SearchParams }) {
  await requireAdmin();
  const page = await readPage(searchParams);
  const { rows, more } = await (await caller()).admin.reported({ page });
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Reports"
        lead="Applications that players reported, most reporters first. Open one to read its reports and to answer them."
      />
      <Card flush>
        <DataTable
          caption="Reports"
          dense
          rows={rows}
          rowKey={({ clientId }) => clientId}
          empty={
            <EmptyState icon={<Flag />} title="No open reports">
              Reports of players appear here until you answer them.
            </EmptyState>
          }
          columns={[
            {
              header: "Application",
              primary: true,
              cell: ({ clientId, name, ...application }) => (
                <span className="flex min-w-0 flex-wrap items-center gap-2">
                  <Emblem of={{ clientId, ...application }} size="sm" />
                  <TextLink
                    href={`/admin/applications/${clientId}`}
                    plain
                    className="min-w-0 font-medium hover:underline"
                  >
                    <bdi className="wrap-anywhere">{visibleText(name)}</bdi>
                  </TextLink>
                </span>
              ),
            },
            {
              header: "Reporters",
              numeric: true,
              cell: ({ reporters }) => formatNumber(reporters),
            },
            {
              header: "Newest report",
              prose: true,
              cell: ({ reason, text }) => (
                <span className="block min-w-0">
                  {reportReasons[reason]}
                  {text !== "" && (
                    <bdi className="line-clamp-2 text-sm wrap-anywhere text-ink-soft">
                      {visibleText(text.replaceAll(/\s+/g, " "))}
                    </bdi>
                  )}
                </span>
              ),
            },
            { header: "At", at: ({ reportedAt }) => reportedAt },
            {
              header: "State",
              unlabelled: true,
              nowrap: true,
              cell: (application) => <ApplicationState {...application} />,
            },
          ]}
        />
      </Card>
      <Pager
        action="/admin/reports"
        query={{}}
        page={page}
        more={more}
        before="Previous"
        after="Next"
      />
    </div>
  );
}
