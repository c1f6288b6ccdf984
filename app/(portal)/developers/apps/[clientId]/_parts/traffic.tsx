import { caller } from "#app/_lib/caller";
import { formatCount, formatNumber } from "#app/_lib/format";
import { timePlot } from "#app/_lib/time-plot";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { Plot } from "#app/_ui/plot.tsx";
import { ShowAsTable } from "#app/_ui/show-as-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { duration, shareOf } from "#app/(portal)/developers/_parts/describe-calls";
import { type CallOutcome, unmatchedRoute } from "#server/oauth/clients/calls/log-entries";
import {
  type CallCounts,
  type TrafficRange,
  trafficRanges,
} from "#server/oauth/clients/traffic/traffic";
import { braced } from "#server/rest/path";

type Props = { clientId: string; range: TrafficRange };

const titles: Readonly<Record<TrafficRange, string>> = {
  "24h": "Last 24 hours",
  "7d": "Last seven days",
  "30d": "Last 30 days",
};

const hour = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});
const hourOfDay = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});
const day = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

const failedCalls = ({ clientErrors, limited, serverErrors }: CallCounts) =>
  clientErrors + limited + serverErrors;

export async function Traffic({ clientId, range }: Props) {
  const { total, median, p95, busiestMinute, busiestHour, limit, steps, endpoints } = await (
    await caller()
  ).applications.traffic({ clientId, range });
  const requests = `/developers/apps/${clientId}/requests`;
  const actions = <Ranges clientId={clientId} chosen={range} />;
  if (total.calls === 0)
    return (
      <Card title={titles[range]} actions={actions} flush>
        <EmptyState
          title="No call in this time"
          action={
            <LinkButton href={`/developers/apps/${clientId}/failures`}>
              See failed attempts
            </LinkButton>
          }
        >
          Calls appear here within a second. If you expected some, the token request may have been
          refused.
        </EmptyState>
      </Card>
    );
  const failed = failedCalls(total);
  const nameOf = (at: Date) => (range === "24h" ? `${hour.format(at)} UTC` : day.format(at));
  return (
    <Card
      title={titles[range]}
      description={`${range === "24h" ? "Hours" : "Days"} in UTC. Latency is server time, without the network.`}
      actions={actions}
      flush
    >
      <div className="grid gap-5 px-4 py-4 sm:px-5">
        <StatRow
          items={[
            { label: "Calls", value: formatNumber(total.calls) },
            {
              label: "Failed",
              value: shareOf(failed, total.calls),
              hint: formatCount(failed, "call"),
            },
            { label: "Median", value: duration(median), hint: `95% within ${duration(p95)}` },
            {
              label: "Busiest minute",
              value: shareOf(busiestMinute, limit),
              hint: `Peak: ${formatNumber(busiestMinute)} of ${formatNumber(limit)} calls/min for one player${busiestHour ? ` (${hourOfDay.format(busiestHour)})` : ""}`,
            },
          ]}
        />
        <div className="grid gap-6 xl:grid-cols-2">
          {(["Calls", "Failed calls"] as const).map((title) => (
            <div key={title} className="min-w-0">
              <h3 className="mb-1 text-sm font-medium">{title}</h3>
              <StepPlot
                title={`${title}, ${titles[range].toLowerCase()}`}
                steps={steps.map((step) => ({
                  at: step.from,
                  value: title === "Calls" ? step.calls : failedCalls(step),
                }))}
                nameOf={nameOf}
              />
            </div>
          ))}
        </div>
      </div>
      <div className="border-t border-line">
        <DataTable
          caption="Calls by endpoint"
          rows={endpoints}
          rowKey={({ endpoint }) => endpoint}
          columns={[
            {
              key: "endpoint",
              header: "Endpoint",
              primary: true,
              cell: ({ endpoint }) => (
                <code className="font-mono text-sm wrap-anywhere">{nameOfEndpoint(endpoint)}</code>
              ),
            },
            {
              key: "calls",
              header: "Calls",
              numeric: true,
              cell: ({ calls }) => formatNumber(calls),
            },
            ...outcomes.map(({ key, header, outcome }) => ({
              key,
              header,
              numeric: true,
              nowrap: true,
              cell: (row: CallCounts & { endpoint: string }) =>
                row[key] === 0 ? (
                  <span className="text-ink-faint">0</span>
                ) : (
                  <TextLink
                    href={`${requests}?${new URLSearchParams({ outcome, endpoint: row.endpoint, range })}`}
                    aria-label={`${formatCount(row[key], "call")} with ${header}: ${nameOfEndpoint(row.endpoint)}`}
                  >
                    {formatNumber(row[key])} ({shareOf(row[key], row.calls)})
                  </TextLink>
                ),
            })),
          ]}
        />
      </div>
      <ShowAsTable className="border-t border-line">
        <DataTable
          caption={range === "24h" ? "Calls by hour" : "Calls by day"}
          rows={steps.filter(({ calls }) => calls > 0).reverse()}
          rowKey={({ from }) => from.getTime()}
          columns={[
            {
              key: "from",
              header: range === "24h" ? "Hour" : "Day",
              primary: true,
              cell: ({ from }) => nameOf(from),
            },
            {
              key: "calls",
              header: "Calls",
              numeric: true,
              cell: ({ calls }) => formatNumber(calls),
            },
            ...outcomes.map(({ key, header }) => ({
              key,
              header,
              numeric: true,
              cell: (row: CallCounts) => formatNumber(row[key]),
            })),
          ]}
        />
      </ShowAsTable>
    </Card>
  );
}

const nameOfEndpoint = (endpoint: string) =>
  endpoint.endsWith(` ${unmatchedRoute}`) ? "No such endpoint" : braced(endpoint);

/** Outcomes by the kind of work they need. */
const outcomes: readonly {
  key: Exclude<keyof CallCounts, "calls">;
  header: string;
  outcome: CallOutcome;
}[] = [
  { key: "clientErrors", header: "4xx", outcome: "failed" },
  { key: "limited", header: "429", outcome: "limited" },
  { key: "serverErrors", header: "5xx", outcome: "5xx" },
];

type StepPlotProps = {
  title: string;
  steps: readonly { at: Date; value: number }[];
  nameOf: (at: Date) => string;
};

function StepPlot({ title, steps, nameOf }: StepPlotProps) {
  const plot = timePlot(steps, {
    value: formatNumber,
    tick: formatNumber,
    from: 0,
    whole: true,
    running: true,
  });
  return (
    <Plot
      title={title}
      as="bars"
      {...plot}
      points={plot.points.map((point, index) => ({
        ...point,
        label: `${nameOf(steps[index]?.at ?? new Date(0))}${point.running ? ", so far" : ""}`,
      }))}
    />
  );
}

const rangeWords: Readonly<Record<TrafficRange, string>> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
};

function Ranges({ clientId, chosen }: { clientId: string; chosen: TrafficRange }) {
  return (
    <nav aria-label="Time range" className="flex gap-4 text-sm">
      {trafficRanges.map((range) => (
        <TextLink
          key={range}
          href={`/developers/apps/${clientId}?range=${range}`}
          plain
          className="text-ink-soft hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:underline"
          aria-current={range === chosen ? "page" : undefined}
        >
          {rangeWords[range]}
        </TextLink>
      ))}
    </nav>
  );
}
