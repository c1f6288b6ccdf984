import { Activity } from "lucide-react";
import { Badge } from "#app/_ui/badge.tsx";
import { CopyButton } from "#app/_ui/copy-button.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import {
  duration,
  nameOfFailure,
  playerName,
  reasonOf,
  toneOf,
} from "#app/(portal)/developers/_parts/describe-calls";
import { apiPrefix } from "#server/machine-path";
import { unmatchedRoute } from "#server/oauth/clients/calls/log-entries";
import type { LoggedCall } from "#server/oauth/clients/calls/show-calls";
import { braced } from "#server/rest/path";

/** Without the common prefix. */
function addressOf({ method, route, path }: LoggedCall): string {
  const called = path ?? (route === unmatchedRoute ? "an address that does not exist" : route);
  return `${method} ${braced(called.startsWith(`${apiPrefix}/`) ? called.slice(apiPrefix.length) : called)}`;
}

const toTheSecond = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short" },
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone: "UTC" },
});

type Props = {
  calls: readonly LoggedCall[];
  page: string;
  /** Kept in the rows' links, so that a call opens beside the same list. */
  query?: string;
  open?: string | undefined;
  filtered: boolean;
};

export function CallsTable({ calls, page, query = "", open, filtered }: Props) {
  return (
    <DataTable
      caption="Last calls"
      dense
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
          header: "Time (UTC)",
          unlabelled: true,
          nowrap: true,
          cell: ({ at }) => (
            <time dateTime={at.toISOString()} className="tabular">
              {toTheSecond.format(at)}
            </time>
          ),
        },
        {
          header: "Status",
          unlabelled: true,
          lead: true,
          cell: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge>,
        },
        {
          header: "Call",
          primary: true,
          line: true,
          cell: (call) => (
            <span title={addressOf(call)}>
              <TextLink
                href={`${page}/${call.requestId}${query}#request`}
                className="font-mono text-xs"
                aria-current={call.requestId === open ? "page" : undefined}
              >
                {addressOf(call)}
              </TextLink>
            </span>
          ),
        },
        {
          header: "Reason",
          unlabelled: true,
          nowrap: true,
          cell: ({ failureCode, failure }) =>
            failureCode !== null && (
              <Reason
                code={failureCode}
                words={reasonOf({ failureCode, failure }) ?? nameOfFailure(failureCode)}
              />
            ),
        },
        {
          header: "Player",
          unlabelled: true,
          nowrap: true,
          cell: ({ player }) => player && <bdi title={playerName(player)}>{player.name}</bdi>,
        },
        { header: "Took", unlabelled: true, numeric: true, cell: ({ micros }) => duration(micros) },
      ]}
    />
  );
}

const Reason = ({ code, words }: { code: number; words: string }) => (
  <span className="inline-block max-w-52 truncate align-bottom rows:max-w-full" title={words}>
    <TextLink href={`/docs/errors/${code}`} plain className="tabular hover:underline">
      {code}
    </TextLink>{" "}
    {words}
  </span>
);

/** Shows the beginning, copies all. */
export function RequestId({ id }: { id: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="text-xs" title={id}>
        {id.slice(0, 8)}…
      </code>
      <CopyButton text={id} what={`request ID ${id}`} className="-my-1" />
    </span>
  );
}
