import { Inbox } from "lucide-react";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { RequestView } from "#server/faction/banking/show-banking";
import { CancelForm } from "./cancel-form";
import { OutcomeBadge, RequestAmount } from "./request-cells";

type Props = {
  factionId: number;
  requests: readonly RequestView[];
  /** Carried along by forms, so that a balance that is shown stays in sight. */
  balance: "show" | undefined;
};

/** What the user asked for, newest first, and what became of it. */
export function OwnRequests({ factionId, requests, balance }: Props) {
  return (
    <Card title="Your requests" flush>
      <DataTable
        caption="Your requests"
        rows={requests}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={<Inbox />} title="No requests yet">
            Your requests and their outcome appear here.
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
          { key: "at", header: "Asked", nowrap: true, cell: ({ requestedAt }) => <Time at={requestedAt} /> },
          {
            key: "state",
            header: "State",
            nowrap: true,
            cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
          },
          {
            key: "end",
            header: "End",
            cell: ({ outcome, expiresAt, closedAt, closer }) => {
              const at = outcome === "waiting" ? expiresAt : closedAt;
              return (
                <>
                  {at ? <Time at={at} /> : "No limit"}
                  {closer && ` by ${closer.name}`}
                </>
              );
            },
          },
          {
            key: "act",
            header: "Cancel",
            actions: true,
            cell: (request) =>
              request.outcome === "waiting" && (
                <CancelForm factionId={factionId} request={request} own balance={balance} />
              ),
          },
        ]}
      />
    </Card>
  );
}
