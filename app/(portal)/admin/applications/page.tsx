import { Boxes } from "lucide-react";
import { adminCaller, adminMetadata } from "#app/_lib/current-user";
import { formatCappedNumber } from "#app/_lib/format";
import type { PageProps } from "#app/_lib/search-params";
import { Badge } from "#app/_ui/badge.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { whyNotApplicationName } from "#server/oauth/clients/application-name";
import { AccountLink, ApplicationLink, ApplicationStateBadge } from "../_parts/links";
import { readListQuery, SearchedList } from "../_parts/searched-list";

export const generateMetadata = () => adminMetadata("Applications");

const states = [
  { value: "any", label: "Any" },
  { value: "verified", label: "Verified" },
  { value: "unverified", label: "Unverified" },
  { value: "requested", label: "Verification requested" },
  { value: "suspended", label: "Suspended" },
] as const;
const action = "/admin/applications";
export default async function Applications({ searchParams }: PageProps) {
  const asked = await readListQuery(searchParams, states);
  const { rows, more } = await (await adminCaller()).admin.applications(asked);
  return (
    <SearchedList
      title="Applications"
      lead={
        asked.state === "requested"
          ? "Requests for verification, the longest wait first."
          : "All registered applications, newest first. Players are counted up to 1,000."
      }
      label="Application, owner, owner's player ID or client ID"
      action={action}
      states={states}
      asked={asked}
      more={more}
      rows={rows}
      rowKey={({ clientId }) => clientId}
      empty={
        <EmptyState icon={<Boxes />} title="No matching application">
          Use fewer filters.
        </EmptyState>
      }
      columns={[
        {
          header: "Application",
          primary: true,
          cell: ({ name, kind, ...application }) => (
            <span className="flex min-w-0 flex-wrap items-center gap-2">
              <ApplicationLink application={{ ...application, name }} />
              {kind === "public" && <Badge>Public</Badge>}
              {whyNotApplicationName(name) && <Badge tone="warn">Misleading name</Badge>}
            </span>
          ),
        },
        {
          header: "Owner",
          cell: ({ owner }) => <AccountLink accountId={owner.accountId} player={owner} />,
        },
        {
          header: "State",
          unlabelled: true,
          nowrap: true,
          cell: (application) => <ApplicationStateBadge {...application} />,
        },
        { header: "Players", numeric: true, cell: ({ users }) => formatCappedNumber(users) },
        ...(asked.state === "requested"
          ? [{ header: "Requested", at: ({ requestedAt }: (typeof rows)[number]) => requestedAt }]
          : []),
        { header: "Registered", at: ({ createdAt }) => createdAt },
      ]}
    />
  );
}
