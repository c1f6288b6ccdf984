import { CircleCheckBig, FileClock, Inbox } from "lucide-react";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { Card } from "#app/_ui/card.tsx";
import { type Column, DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { Ledger } from "#server/faction/banking/ledger";
import type { RequestView } from "#server/faction/banking/show-banking";
import type { Currency } from "#server/faction/banking/vault-request";
import { CancelForm, OutcomeBadge, RequestAmount } from "./vault-request";

const askedColumn: Column<RequestView> = {
  ...{ key: "at", header: "Requested", nowrap: true },
  cell: ({ requestedAt }) => <Time at={requestedAt} />,
};
const amountColumn: Column<RequestView> = {
  ...{ key: "amount", header: "Amount", primary: true, nowrap: true },
  cell: (request) => <RequestAmount {...request} />,
};
const stateColumn: Column<RequestView> = {
  ...{ key: "state", header: "State", nowrap: true, unlabelled: true },
  cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
};

type QueueProps = {
  factionId: number;
  requests: readonly RequestView[];
  /** Currencies that the position may pay out. */
  pays: readonly Currency[];
  /** Player id. */
  reader: number;
  balance: "show" | undefined;
};

/** Oldest first. */
export function Queue({ factionId, requests, pays, reader, balance }: QueueProps) {
  return (
    <Card
      title="Waiting for a banker"
      description="Open a request to pay it. The member is notified at once."
      flush
    >
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
                <span className="ml-2 whitespace-nowrap text-ink-faint">#{id}</span>
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
          askedColumn,
          {
            key: "ends",
            header: "Expires",
            nowrap: true,
            cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : "No limit"),
          },
          {
            key: "acts",
            header: "Pay or cancel",
            actions: true,
            cell: (request) => (
              <span className="flex items-start justify-end gap-2">
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

type OwnRequestsProps = {
  factionId: number;
  requests: readonly RequestView[];
  /** Passed on, so that a shown balance stays visible. */
  balance: "show" | undefined;
};

/** Newest first. */
export function OwnRequests({ factionId, requests, balance }: OwnRequestsProps) {
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
          amountColumn,
          askedColumn,
          stateColumn,
          {
            key: "end",
            header: "Result",
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

/** Last closed first, with a way to pay unverified ones again. */
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
        amountColumn,
        { key: "who", header: "Member", cell: ({ requester }) => <PlayerLink {...requester} /> },
        stateColumn,
        {
          key: "closed",
          header: "Closed",
          nowrap: true,
          cell: ({ closedAt }) => closedAt && <Time at={closedAt} />,
        },
        {
          key: "by",
          header: "By",
          cell: ({ closer }) => (closer ? <PlayerLink {...closer} /> : "Adjutant"),
        },
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
