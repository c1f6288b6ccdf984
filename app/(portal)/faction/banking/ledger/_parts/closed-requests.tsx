import { FileClock } from "lucide-react";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { Ledger } from "#server/faction/banking/ledger/show-ledger";
import { OutcomeBadge, RequestAmount } from "../../_parts/request-cells";

/** Closed requests, those that were closed last first, and the way to pay again what was not seen. */
export function ClosedRequests({ requests, pays }: Pick<Ledger, "requests" | "pays">) {
  return (
    <DataTable
      caption="Closed requests"
      rows={requests}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={<FileClock />} title="No closed requests">
          Requests that were paid, cancelled or expired in this period appear here.
        </EmptyState>
      }
      columns={[
        {
          key: "amount",
          header: "Amount",
          primary: true,
          nowrap: true,
          cell: (request) => <RequestAmount {...request} />,
        },
        { key: "who", header: "Member", cell: ({ requester }) => <PlayerLink {...requester} /> },
        { key: "state", header: "State", nowrap: true, cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
        {
          key: "closed",
          header: "Closed",
          nowrap: true,
          cell: ({ closedAt }) => closedAt && <Time at={closedAt} />,
        },
        { key: "by", header: "By", cell: ({ closer }) => (closer ? <PlayerLink {...closer} /> : "Adjutant") },
        {
          key: "again",
          header: "Pay again",
          actions: true,
          cell: ({ id, guid, outcome, currency }) =>
            outcome === "unverified" &&
            pays.includes(currency) && (
              <LinkButton href={`/faction/banking/fulfill/${guid}`} size="sm">
                Pay again<span className="sr-only"> request #{id}</span>
              </LinkButton>
            ),
        },
      ]}
    />
  );
}
