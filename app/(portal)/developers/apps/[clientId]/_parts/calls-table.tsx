import { Activity } from "lucide-react";
import { Badge } from "#app/_ui/badge.tsx";
import { CopyButton } from "#app/_ui/copy-button.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import {
  duration,
  nameOfFailure,
  playerName,
  reasonOf,
  toneOf,
} from "#app/(portal)/developers/_parts/describe-calls";
import { apiPrefix } from "#server/machine-path";
import { type LoggedCall, unmatchedRoute } from "#server/oauth/clients/calls/log-entries";

/** The routes all begin with the same prefix, which is left out. */
const shortPath = (route: string) =>
  route.startsWith(`${apiPrefix}/`) ? route.slice(apiPrefix.length) : route;

/** Calls of an application, each with why it failed. */
export function CallsTable({
  calls,
  page,
  filtered,
}: {
  calls: readonly LoggedCall[];
  page: string;
  filtered: boolean;
}) {
  return (
    <DataTable
      caption="Last calls"
      rows={calls}
      rowKey={({ id }) => id}
      empty={
        filtered ? (
          <EmptyState
            icon={<Activity />}
            title="No call matches"
            action={<LinkButton href={page}>Show all calls</LinkButton>}
          />
        ) : (
          <EmptyState
            icon={<Activity />}
            title="No call in the last 30 days"
            action={<LinkButton href="/docs">How to make the first call</LinkButton>}
          >
            Calls appear here within a second, successful or not.
          </EmptyState>
        )
      }
      columns={[
        {
          key: "call",
          header: "Call",
          primary: true,
          cell: ({ method, route, requestId, failure }) => (
            <TextLink href={`${page}/${requestId}`} className="font-mono text-sm wrap-anywhere">
              {method}{" "}
              {route === unmatchedRoute
                ? (failure?.path ?? "an address that does not exist")
                : shortPath(route)}
            </TextLink>
          ),
        },
        { key: "at", header: "When", nowrap: true, cell: ({ at }) => <Time at={at} /> },
        {
          key: "status",
          header: "Status",
          cell: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge>,
        },
        {
          key: "reason",
          header: "Reason",
          prose: true,
          cell: ({ failureCode, failure }) =>
            failureCode === null ? (
              <span className="text-ink-faint">–</span>
            ) : (
              <span className="grid gap-0.5">
                <TextLink href={`/docs/errors/${failureCode}`}>
                  <span className="tabular">{failureCode}</span> {nameOfFailure(failureCode)}
                </TextLink>
                <span className="text-sm text-ink-soft">{reasonOf({ failureCode, failure })}</span>
              </span>
            ),
        },
        {
          key: "player",
          header: "Player",
          cell: ({ player }) =>
            player ? playerName(player) : <span className="text-ink-faint">–</span>,
        },
        {
          key: "took",
          header: "Took",
          numeric: true,
          nowrap: true,
          cell: ({ micros }) => duration(micros),
        },
        {
          key: "id",
          header: "Request ID",
          nowrap: true,
          cell: ({ requestId }) => <RequestId id={requestId} />,
        },
      ]}
    />
  );
}

/** A request's id, to be copied into a report: whole for the clipboard, its beginning for the eye. */
export function RequestId({ id }: { id: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="font-mono text-xs" title={id}>
        {id.slice(0, 8)}…
      </code>
      <CopyButton text={id} what={`request ID ${id}`} className="-my-1" />
    </span>
  );
}
