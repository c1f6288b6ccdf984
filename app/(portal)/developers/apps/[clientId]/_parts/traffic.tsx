import type { ReactNode } from "react";
import { caller } from "#app/_lib/caller";
import { formatCount, formatDateTime, formatNumber, formatShortDate } from "#app/_lib/format";
import { timePlot } from "#app/_lib/time-plot";
import { ViewLinks } from "#app/_parts/list-controls.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { classNames } from "#app/_ui/class-names.tsx";
import { type Column, DataTable } from "#app/_ui/data-table.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { Plot, ShowAsTable } from "#app/_ui/plot.tsx";
import { stackKinds } from "#app/_ui/plot-points";
import { RatioBar } from "#app/_ui/plot-reader.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import {
  formatChange,
  formatMicros,
  formatShareOf,
} from "#app/(portal)/developers/_parts/describe-calls.tsx";
import { type CallOutcome, unmatchedRoute } from "#server/oauth/clients/calls/call-filter";
import {
  type CallCounts,
  rangeSteps,
  type StepOfTraffic,
  type TrafficRange,
  trafficRanges,
} from "#server/oauth/clients/traffic/traffic";
import { dayMs } from "#server/platform/time";
import type { RouterOutputs } from "#server/portal/router";
import { openApiPath } from "#server/rest/path";

export const rangeWords: Readonly<Record<TrafficRange, string>> = {
  "1h": "1 hour",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
};

const failedCalls = ({ clientErrors, limited, serverErrors }: CallCounts) =>
  clientErrors + limited + serverErrors;

type Props = {
  clientId: string;
  range: TrafficRange;
  /** True if figures link to their calls. */
  withRequests: boolean;
};

export async function TrafficCard({ clientId, range, withRequests }: Props) {
  const traffic = await (await caller()).applications.traffic({ clientId, range });
  const { total, busiestMinute, busiestHour, limit, steps, endpoints } = traffic;
  const page = `/developers/apps/${clientId}`;
  const requests = withRequests ? `${page}/requests` : undefined;
  const title = `Last ${rangeWords[range]}`;
  const actions = (
    <ViewLinks
      label="Time range"
      views={trafficRanges.map((each) => ({
        label: rangeWords[each],
        href: `${page}?range=${each}`,
        current: each === range,
      }))}
    />
  );
  if (total.calls === 0)
    return (
      <Card title={title} actions={actions} flush>
        <EmptyState
          title="No call in this time"
          action={<LinkButton href={`${page}/failures`}>See failed attempts</LinkButton>}
        >
          Calls appear here within a second. If you expected some, the token request may have been
          refused.
        </EmptyState>
      </Card>
    );
  const isLong = range === "7d" || range === "30d";
  const most = Math.max(...endpoints.map(({ calls }) => calls));
  return (
    <Card
      title={title}
      description="Compared with the time before it. Latency is server time, without the network."
      actions={actions}
      flush
    >
      <div className="grid gap-5 px-4 py-4 sm:px-5">
        <StatRow items={figuresOf(traffic)} />
        <div className="min-w-0">
          <TrafficPlot title={`Calls, ${title.toLowerCase()}`} steps={steps} />
          <WorstStep steps={steps} requests={requests} range={range} />
          <p className="mt-1 text-xs text-ink-faint">
            Peak: {formatNumber(busiestMinute)} of {formatNumber(limit)} calls/min for one player
            {busiestHour && ` (${formatDateTime(busiestHour)})`}
          </p>
        </div>
      </div>
      <div className="border-t border-line">
        <DataTable
          caption="Calls by endpoint"
          rows={endpoints}
          rowKey={({ endpoint }) => endpoint}
          columns={[
            {
              header: "Endpoint",
              primary: true,
              cell: ({ endpoint }) => (
                <code className="text-sm wrap-anywhere">{nameOfEndpoint(endpoint)}</code>
              ),
            },
            {
              header: "Calls",
              numeric: true,
              cell: ({ calls }) => (
                <span className="inline-flex items-center gap-2">
                  <RatioBar
                    share={Math.max(leastShown, calls / most)}
                    fill="fill-accent"
                    className="h-2 w-20"
                  />
                  {formatNumber(calls)}
                </span>
              ),
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
                  <CallsLink
                    requests={requests}
                    query={{ outcome, endpoint: row.endpoint, range }}
                    label={`${formatCount(row[key], "call")} with ${header}: ${nameOfEndpoint(row.endpoint)}`}
                  >
                    {formatNumber(row[key])} ({formatShareOf(row[key], row.calls)})
                  </CallsLink>
                ),
            })),
          ]}
        />
      </div>
      <ShowAsTable className="border-t border-line">
        <DataTable
          caption="Calls by time"
          rows={(isLong ? byDay(steps) : steps).filter(({ calls }) => calls > 0).toReversed()}
          rowKey={({ from }) => from.getTime()}
          columns={[
            {
              header: "From",
              primary: true,
              cell: (step) => (isLong ? formatShortDate(step.from) : formatDateTime(step.from)),
            },
            { header: "Calls", numeric: true, cell: ({ calls }) => formatNumber(calls) },
            ...outcomes.map(({ key, header }) => ({
              key,
              header,
              numeric: true,
              cell: (row: CallCounts) => formatNumber(row[key]),
            })),
            ...(isLong ? [] : latencyColumns),
          ]}
        />
      </ShowAsTable>
    </Card>
  );
}

type TrafficPlotProps = { title: string; steps: readonly StepOfTraffic[]; running?: boolean };

export function TrafficPlot({ title, steps, running = true }: TrafficPlotProps) {
  const plot = timePlot(
    steps.map((step) => ({ at: step.from, value: step.calls })),
    { value: formatNumber, tick: formatNumber, from: 0, whole: true, running },
  );
  return (
    <>
      <Plot
        title={title}
        as="bars"
        {...plot}
        points={plot.points.map((point, index) => {
          const step = steps[index];
          if (!step || step.calls === 0) return { ...point, value: "0 calls" };
          const { clientErrors, limited, serverErrors } = step;
          const counts = [step.calls - failedCalls(step), clientErrors, limited, serverErrors];
          const failed = stackKinds.flatMap(({ name }, kind) =>
            kind > 0 && counts[kind] ? [`${formatNumber(counts[kind])} × ${name}`] : [],
          );
          return {
            ...point,
            label: `${point.label}${failed.length > 0 ? ` · ${failed.join(", ")}` : ""}`,
            value: formatCount(step.calls, "call"),
            parts: counts.map((count) => (count / step.calls) * point.y),
          };
        })}
      />
      <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-faint">
        {stackKinds.map(({ name, mark }) => (
          <span key={name} className="flex items-center gap-1.5">
            <span className={classNames("size-2.5 rounded-tag", mark)} aria-hidden="true" />
            {name}
          </span>
        ))}
      </p>
    </>
  );
}

/** A bar with a smaller share could not be seen. */
const leastShown = 0.01;

const latencyColumns: Column<StepOfTraffic>[] = [
  { header: "p50", numeric: true, cell: ({ median }) => formatMicros(median) },
  { header: "p95", numeric: true, cell: ({ p95 }) => formatMicros(p95) },
];

/** Sums UTC days, because a table of hundreds of hours would exceed the rest of the page. */
function byDay(steps: readonly StepOfTraffic[]): StepOfTraffic[] {
  const days = Map.groupBy(steps, ({ from }) => Math.floor(from.getTime() / dayMs) * dayMs);
  return [...days].map(([day, ofDay]) => {
    const sum = (name: keyof CallCounts) => ofDay.reduce((total, step) => total + step[name], 0);
    return {
      from: new Date(day),
      calls: sum("calls"),
      clientErrors: sum("clientErrors"),
      limited: sum("limited"),
      serverErrors: sum("serverErrors"),
      median: null,
      p95: null,
    };
  });
}

const nameOfEndpoint = (endpoint: string) =>
  endpoint.endsWith(` ${unmatchedRoute}`) ? "No such endpoint" : openApiPath(endpoint);

const outcomes: readonly {
  key: Exclude<keyof CallCounts, "calls">;
  header: string;
  outcome: CallOutcome;
}[] = [
  { key: "clientErrors", header: "4xx", outcome: "failed" },
  { key: "limited", header: "429", outcome: "limited" },
  { key: "serverErrors", header: "5xx", outcome: "5xx" },
];

function figuresOf({ total, median, p95, before }: RouterOutputs["applications"]["traffic"]) {
  return [
    {
      label: "Calls",
      value: formatNumber(total.calls),
      hint: formatChange(total.calls, before.total.calls),
    },
    {
      label: "Failed",
      value: formatShareOf(failedCalls(total), total.calls),
      hint:
        before.total.calls === 0
          ? formatCount(failedCalls(total), "call")
          : `${formatShareOf(failedCalls(before.total), before.total.calls)} before`,
    },
    { label: "p50", value: formatMicros(median), hint: latencyBefore(before.median) },
    { label: "p95", value: formatMicros(p95), hint: latencyBefore(before.p95) },
  ];
}

const latencyBefore = (micros: number | null) =>
  micros === null ? undefined : `${formatMicros(micros)} before`;

type WorstStepProps = {
  steps: readonly StepOfTraffic[];
  requests: string | undefined;
  range: TrafficRange;
};

/** Names the worst step, because a short outage is only one bar of many. */
function WorstStep({ steps, requests, range }: WorstStepProps) {
  const [worst] = steps
    .filter(({ serverErrors }) => serverErrors > 0)
    .toSorted((one, other) => other.serverErrors - one.serverErrors);
  if (!worst) return null;
  const { step } = rangeSteps[range];
  const until = new Date(worst.from.getTime() + step - 1).toISOString().slice(0, 16);
  const query = { outcome: "5xx", range: range === "30d" ? "24h" : "1h", until };
  return (
    <p className="mt-2 text-sm">
      Most server errors:{" "}
      <CallsLink requests={requests} query={query}>
        {formatNumber(worst.serverErrors)} of {formatCount(worst.calls, "call")},{" "}
        {formatDateTime(worst.from)}
      </CallsLink>
    </p>
  );
}

type CallsLinkProps = {
  requests: string | undefined;
  query: Record<string, string>;
  label?: string;
  children: ReactNode;
};

/** Viewers get plain text, because they may not see single requests. */
const CallsLink = ({ requests, query, label, children }: CallsLinkProps) =>
  requests === undefined ? (
    children
  ) : (
    <TextLink href={`${requests}?${new URLSearchParams(query)}`} aria-label={label}>
      {children}
    </TextLink>
  );

const funnelSteps = [
  { step: "shown", label: "Saw the consent page", lost: "" },
  { step: "approved", label: "Approved", lost: "did not approve" },
  { step: "exchanged", label: "Code exchanged for tokens", lost: "got no tokens: see Failures" },
  { step: "called", label: "First call made", lost: "made no call" },
] as const;

type FunnelProps = { clientId: string; range: TrafficRange };

export async function FunnelCard({ clientId, range }: FunnelProps) {
  const funnel = await (await caller()).applications.funnel({ clientId, range });
  if (funnel.shown === 0) return null;
  return (
    <Card
      title="From consent page to first call"
      description={`Players in the last ${rangeWords[range]}, each counted once.`}
    >
      <ol className="grid gap-4">
        {funnelSteps.map(({ step, label, lost }, index) => {
          const before = funnel[funnelSteps[index - 1]?.step ?? "shown"];
          const missing = before - funnel[step];
          return (
            <li key={step} className="grid gap-1.5">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
                <span>{label}</span>
                <span className="tabular-nums">
                  {formatNumber(funnel[step])}{" "}
                  <span className="text-ink-faint">
                    ({formatShareOf(funnel[step], funnel.shown)})
                  </span>
                </span>
              </div>
              <RatioBar
                share={funnel[step] / funnel.shown}
                fill="fill-accent-text"
                className="block h-2 w-full"
              />
              {missing > 0 && (
                <p className="text-xs text-ink-soft">
                  {formatNumber(missing)} {lost}
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
