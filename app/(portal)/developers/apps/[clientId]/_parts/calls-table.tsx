import { Activity } from "lucide-react";
import { Badge, type Tone } from "#app/_ui/badge.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { duration } from "#app/(portal)/developers/_parts/format-traffic";
import { failureKinds } from "#server/failures";
import type { CallOutcome, LoggedCall } from "#server/oauth/clients/traffic/traffic";
import { RequestId } from "./list-parts";

const toneOf = (status: number): Tone => (status >= 500 ? "bad" : status >= 400 ? "warn" : "good");
const nameOf = (code: number): string => failureKinds.find((kind) => kind.code === code)?.name ?? "Unknown";

/** The last calls of an application, each with why it failed. */
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
            title="No matching call in the last seven days"
            action={<LinkButton href={page}>Show all calls</LinkButton>}
          />
        ) : (
          <EmptyState
            icon={<Activity />}
            title="No call in the last seven days"
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
          cell: ({ method, route }) => (
            <code className="font-mono text-sm wrap-anywhere">
              <span className="text-ink-faint">{method}</span>{" "}
              {route === "unmatched" ? "an address that does not exist" : route}
            </code>
          ),
        },
        { key: "at", header: "When", nowrap: true, cell: ({ at }) => <Time at={at} /> },
        { key: "status", header: "Status", cell: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge> },
        {
          key: "reason",
          header: "Reason",
          cell: ({ failureCode }) =>
            failureCode === null ? (
              <span className="text-ink-faint">–</span>
            ) : (
              <TextLink href={`/docs/errors/${failureCode}`}>
                <span className="tabular">{failureCode}</span> {nameOf(failureCode)}
              </TextLink>
            ),
        },
        { key: "took", header: "Took", numeric: true, nowrap: true, cell: ({ micros }) => duration(micros) },
        { key: "id", header: "Request ID", nowrap: true, cell: ({ requestId }) => <RequestId id={requestId} /> },
      ]}
    />
  );
}

const words: Readonly<Record<CallOutcome, string>> = {
  all: "All",
  good: "Succeeded",
  failed: "Failed",
  limited: "Rate-limited",
};

const outcomes: readonly CallOutcome[] = ["all", "good", "failed", "limited"];

/** Which calls are listed: links, so that a view can be sent to somebody. */
export function OutcomeFilter({ page, chosen }: { page: string; chosen: CallOutcome }) {
  return (
    <nav aria-label="Filter by outcome" className="flex flex-wrap gap-1">
      {outcomes.map((outcome) => (
        <TextLink
          key={outcome}
          href={outcome === "all" ? page : `${page}?outcome=${outcome}`}
          plain
          aria-current={outcome === chosen ? "page" : undefined}
          className="rounded-control px-2.5 py-1 text-sm text-ink-soft hover:bg-accent-wash hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:py-2.5"
        >
          {words[outcome]}
        </TextLink>
      ))}
    </nav>
  );
}
