import { Flag } from "lucide-react";
import { adminCaller, adminMetadata } from "#app/_lib/current-user";
import { escapeInvisible, formatNumber } from "#app/_lib/format";
import { type PageProps, readPageNumber } from "#app/_lib/search-params";
import { EmptyState } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { reportReasons } from "#server/oauth/reports/report-acts";
import { ApplicationLink, ApplicationStateBadge } from "../_parts/links";
import { Pager } from "../_parts/searched-list";

export const generateMetadata = () => adminMetadata("Reports");

export default async function Reports({ searchParams }: PageProps) {
  const page = await readPageNumber(searchParams);
  const { rows, more } = await (await adminCaller()).admin.reported({ page });
  return (
    <>
      <PageHeader
        title="Reports"
        lead="Applications that players reported, most reporters first. Open one to read its reports and to answer them."
      />
      <TableCard
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
            cell: (application) => (
              <span className="flex min-w-0 flex-wrap items-center gap-2">
                <ApplicationLink application={application} />
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
                  <bdi className="line-clamp-2 text-sm text-ink-soft">
                    {escapeInvisible(text.replaceAll(/\s+/g, " "))}
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
            cell: (application) => <ApplicationStateBadge {...application} />,
          },
        ]}
      />
      <Pager
        action="/admin/reports"
        query={{}}
        page={page}
        more={more}
        before="Previous"
        after="Next"
      />
    </>
  );
}
