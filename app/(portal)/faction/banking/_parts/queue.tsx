import { CircleCheckBig } from "lucide-react";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { RequestView } from "#server/faction/banking/show-banking";
import type { Currency } from "#server/faction/banking/vault-request";
import { CancelForm } from "./cancel-form";

type Props = {
  factionId: number;
  requests: readonly RequestView[];
  /** What the user's position lets them pay out. */
  pays: readonly Currency[];
  /** Whose page it is. */
  reader: number;
  balance: "show" | undefined;
};

/** What waits for the faction's bankers, the oldest first. */
export function Queue({ factionId, requests, pays, reader, balance }: Props) {
  return (
    <Card title="Waiting for a banker" description="Open a request to pay it. The member is notified at once." flush>
      <DataTable
        caption="Waiting for a banker"
        rows={requests}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={<CircleCheckBig />} title="No requests waiting">
            New requests from members appear here and in the faction's chat.
          </EmptyState>
        }
        columns={[
          {
            key: "who",
            header: "Member",
            primary: true,
            cell: ({ id, requester }) => (
              <>
                <span className="font-medium">{requester.name}</span>
                <span className="ml-2 text-ink-faint">#{id}</span>
              </>
            ),
          },
          {
            key: "amount",
            header: "Amount",
            numeric: true,
            nowrap: true,
            cell: ({ amount, currency }) => formatAmount(amount, currency),
          },
          { key: "at", header: "Asked", nowrap: true, cell: ({ requestedAt }) => <Time at={requestedAt} /> },
          {
            key: "ends",
            header: "Ends",
            nowrap: true,
            cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : "No limit"),
          },
          {
            key: "acts",
            header: "Pay or cancel",
            actions: true,
            cell: (request) => (
              <span className="flex flex-wrap items-start justify-end gap-2">
                {pays.includes(request.currency) && (
                  <LinkButton href={`/faction/banking/fulfill/${request.guid}`} size="sm">
                    Pay<span className="sr-only"> request #{request.id}</span>
                  </LinkButton>
                )}
                <CancelForm
                  factionId={factionId}
                  request={request}
                  own={request.requester.playerId === reader}
                  balance={balance}
                />
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}
