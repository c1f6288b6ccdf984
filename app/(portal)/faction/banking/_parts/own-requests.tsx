import { Inbox } from "lucide-react";
import { Status } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { Time } from "#app/_ui/time.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { RequestView } from "#server/faction/banking/show-banking";
import type { Outcome } from "#server/faction/banking/vault-request";
import { CancelForm } from "./cancel-form";

/** What became of a request, in the words and the colour of a table. */
const requestStates = {
  waiting: { tone: "accent", word: "Waiting" },
  paid: { tone: "good", word: "Paid" },
  verified: { tone: "good", word: "Paid and confirmed" },
  unverified: { tone: "warn", word: "Payment not found" },
  cancelled: { tone: "neutral", word: "Cancelled" },
  expired: { tone: "neutral", word: "Expired" },
  left: { tone: "neutral", word: "Ended" },
} as const satisfies Record<Outcome, unknown>;

/** What the user asked for, newest first, and what became of it. */
export function OwnRequests({ factionId, requests }: { factionId: number; requests: readonly RequestView[] }) {
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
            cell: ({ id, amount, currency }) => (
              <>
                <span className="tabular font-medium">{formatAmount(amount, currency)}</span>
                <span className="ml-2 text-ink-faint">#{id}</span>
              </>
            ),
          },
          { key: "at", header: "Asked", nowrap: true, cell: ({ requestedAt }) => <Time at={requestedAt} /> },
          {
            key: "state",
            header: "State",
            nowrap: true,
            cell: ({ outcome }) => <Status tone={requestStates[outcome].tone}>{requestStates[outcome].word}</Status>,
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
            cell: (request) => request.outcome === "waiting" && <CancelForm factionId={factionId} request={request} />,
          },
        ]}
      />
    </Card>
  );
}
