import { CircleCheckBig, FileClock, Inbox } from "lucide-react";
import { formatNumber } from "#app/_lib/format";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { FilterForm, filterFieldProps } from "#app/_parts/list-controls.tsx";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { type Column, DataTable, TableCard } from "#app/_ui/data-table.tsx";
import { InputField, SelectField } from "#app/_ui/field.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { outcomeWords, type RequestView } from "#server/faction/banking/describe-request";
import type { Ledger } from "#server/faction/banking/ledger";
import type { BankingView, QueueFilter } from "#server/faction/banking/show-banking";
import { type Currency, currencies, formatAmount } from "#server/faction/banking/vault-request";
import { currencyLabels, currencyOptions } from "./balance";

const RequestAmount = ({
  id,
  guid,
  amount,
  currency,
}: Pick<RequestView, "id" | "guid" | "amount" | "currency">) => (
  <>
    <span className="tabular font-medium">{formatAmount(amount, currency)}</span>{" "}
    <TextLink href={`/faction/banking/fulfill/${guid}`} className="ml-1">
      #{id}
    </TextLink>
  </>
);

const OutcomeBadge = ({ outcome }: Pick<RequestView, "outcome">) => (
  <Status tone={outcomeWords[outcome].tone}>{outcomeWords[outcome].word}</Status>
);

type CancelFormProps = {
  factionId: number;
  request: RequestView;
  own: boolean;
};

/** An own request is cancelled without confirmation, because its requester can repeat it. */
export function CancelForm({ factionId, request, own }: CancelFormProps) {
  const { id, requester, amount, currency } = request;
  const action = "/faction/banking/cancel";
  const fields = { faction: String(factionId), request: String(id) };
  if (!own)
    return (
      <ConfirmButton
        label="Cancel"
        what={`request #${id}`}
        confirm="Cancel the request"
        action={action}
        fields={fields}
        consequences={`${requester.name} requested ${formatAmount(amount, currency)}, and gets a notice that you cancelled it.`}
      >
        <InputField
          name="reason"
          id={`reason-${id}`}
          label="Reason"
          required={false}
          maxLength={200}
        />
      </ConfirmButton>
    );
  return (
    <ActButton action={action} fields={fields} aria-label={`Cancel request #${id}`}>
      Cancel
    </ActButton>
  );
}

const askedColumn: Column<RequestView> = {
  header: "Requested",
  at: ({ requestedAt }) => requestedAt,
};
const amountColumn: Column<RequestView> = {
  key: "amount",
  header: "Amount",
  primary: true,
  nowrap: true,
  cell: (request) => <RequestAmount {...request} />,
};
const stateColumn: Column<RequestView> = {
  key: "state",
  header: "State",
  nowrap: true,
  unlabelled: true,
  cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
};

type QueueProps = {
  factionId: number;
  queue: NonNullable<BankingView["queue"]>;
  filter: QueueFilter;
  /** Currencies that the reader's position may pay out. */
  pays: readonly Currency[];
  /** Player id. */
  reader: number;
};

/** Shorter queues need no filter. */
const leastFiltered = 6;

export function RequestQueueCard({ factionId, queue, filter, pays, reader }: QueueProps) {
  const { requests, fitting, waiting, totals } = queue;
  const isFiltered = filter.currency !== undefined || filter.member !== undefined;
  return (
    <Card
      title="Waiting for a banker"
      description="Open a request to pay it. The member is notified at once."
      flush
      footer={
        requests.length < fitting && (
          <span>
            The oldest {requests.length} of {fitting}. Filter to see others.
          </span>
        )
      }
    >
      {waiting > 0 && (
        <div className="px-4 py-4 sm:px-5">
          <StatRow
            items={[
              { label: "Requests", value: formatNumber(waiting) },
              ...currencies.map((currency) => ({
                label: currencyLabels[currency],
                value: formatAmount(totals[currency], currency),
              })),
            ]}
          />
        </div>
      )}
      {(isFiltered || waiting >= leastFiltered) && (
        <QueueFilterForm filter={filter} isFiltered={isFiltered} />
      )}
      <DataTable
        caption="Waiting for a banker"
        rows={requests}
        rowKey={({ id }) => id}
        empty={
          isFiltered ? (
            <EmptyState icon={<Inbox />} title="No request fits">
              Choose other filters to see more requests.
            </EmptyState>
          ) : (
            <EmptyState icon={<CircleCheckBig />} title="No requests waiting">
              New requests from members appear here and in the faction's chat.
            </EmptyState>
          )
        }
        columns={[
          {
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
            header: "Amount",
            numeric: true,
            nowrap: true,
            cell: ({ amount, currency }) => formatAmount(amount, currency),
          },
          askedColumn,
          { header: "Expires", at: ({ expiresAt }) => expiresAt, never: "No limit" },
          {
            header: "Pay or cancel",
            actions: true,
            cell: (request) => (
              <span className="flex flex-wrap items-center justify-end gap-2">
                <PayLink request={request} pays={pays} reader={reader} />
                <CancelForm
                  factionId={factionId}
                  request={request}
                  own={request.requester.playerId === reader}
                />
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}

type PayLinkProps = {
  request: RequestView;
  pays: readonly Currency[];
  /** Player id. */
  reader: number;
};

function PayLink({ request: { id, guid, currency, claim }, pays, reader }: PayLinkProps) {
  if (claim && claim.by.playerId !== reader)
    return <Status tone="accent">{claim.by.name} is paying</Status>;
  if (!pays.includes(currency)) return null;
  return (
    <LinkButton href={`/faction/banking/fulfill/${guid}`} size="sm">
      {claim ? "Go on paying" : "Pay"}
      <span className="sr-only"> request #{id}</span>
    </LinkButton>
  );
}

type QueueFilterFormProps = Pick<QueueProps, "filter"> & { isFiltered: boolean };

const QueueFilterForm = ({ filter, isFiltered }: QueueFilterFormProps) => (
  <FilterForm action="/faction/banking" isFiltered={isFiltered} className="block px-4 pb-4 sm:px-5">
    <InputField
      {...filterFieldProps}
      name="member"
      label="Member"
      className="grow basis-40"
      type="search"
      defaultValue={filter.member}
      maxLength={50}
    />
    <SelectField
      {...filterFieldProps}
      name="of"
      label="Kind"
      className="basis-32 max-sm:grow"
      options={[{ value: "", label: "Any" }, ...currencyOptions]}
      defaultValue={filter.currency ?? ""}
    />
  </FilterForm>
);

type OwnRequestsProps = {
  factionId: number;
  requests: readonly RequestView[];
};

export function OwnRequestsTable({ factionId, requests }: OwnRequestsProps) {
  return (
    <TableCard
      title="Your requests"
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
          header: "Result",
          cell: ({ outcome, expiresAt, closedAt, closer, claim, reason }) => {
            const at = outcome === "waiting" ? expiresAt : closedAt;
            return (
              <>
                {outcome === "waiting" && expiresAt && "Expires "}
                {at ? <Time at={at} /> : "No limit"}
                {closer && ` by ${closer.name}`}
                {claim && `, ${claim.by.name} is paying it`}
                {reason && `: ${reason}`}
              </>
            );
          },
        },
        {
          header: "Cancel",
          actions: true,
          cell: (request) =>
            request.outcome === "waiting" && (
              <CancelForm factionId={factionId} request={request} own />
            ),
        },
      ]}
    />
  );
}

/** An unverified request can be paid again from here. */
export function ClosedRequestsTable({ requests, pays }: Pick<Ledger, "requests" | "pays">) {
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
        { header: "Member", cell: ({ requester }) => <PlayerLink {...requester} /> },
        stateColumn,
        { header: "Closed", at: ({ closedAt }) => closedAt, never: "" },
        {
          header: "By",
          cell: ({ closer, reason }) => (
            <>
              {closer ? <PlayerLink {...closer} /> : "Adjutant"}
              {reason && `: ${reason}`}
            </>
          ),
        },
        {
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
