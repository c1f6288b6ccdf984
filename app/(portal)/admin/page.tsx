import { adminCaller, adminMetadata } from "#app/_lib/current-user";
import { formatNumber, formatTimeOfDay } from "#app/_lib/format";
import { timePlot } from "#app/_lib/time-plot";
import { Status } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Plot, ShowAsTable } from "#app/_ui/plot.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { formatChange, formatShareOf } from "#app/(portal)/developers/_parts/describe-calls.tsx";
import type { Concern, DayFigures, HourFigures } from "#server/health/overview";

export const generateMetadata = () => adminMetadata("Overview");

const milliseconds = (value: number) => `${formatNumber(Math.round(value * 10) / 10)} ms`;
const seconds = (value: number) => `${formatNumber(Math.round(value * 10) / 10)} s`;

export default async function Overview() {
  const { concerns, hours, day, dayBefore } = await (await adminCaller()).operations.overview();
  return (
    <>
      <PageHeader
        title="Overview"
        lead="All processes together. Calls appear when their hour is over. Times are UTC."
        status={
          <Status tone={toneOf(concerns)}>
            {concerns.length === 0 ? "All is well" : "Needs attention"}
          </Status>
        }
      />
      {concerns.length > 0 && (
        <Card title="Needs attention">
          <ul className="grid gap-2">
            {concerns.map(({ tone, sentence }) => (
              <li key={sentence}>
                <Status tone={tone}>{sentence}</Status>
              </li>
            ))}
          </ul>
          <p className="mt-3 text-sm text-ink-soft">
            <TextLink href="/admin/system">System</TextLink> shows each part. The runbook
            (docs/runbook.md) says what to do.
          </p>
        </Card>
      )}
      <section aria-label="The last 24 hours" className="grid gap-2">
        <StatRow items={figuresOf(day, dayBefore)} />
        <p className="text-xs text-ink-faint">
          The last 24 full hours, compared with the 24 before.
        </p>
      </section>
      <div className="grid gap-6 lg:grid-cols-2">
        <FigurePlot title="API calls" whole afterwards hours={hours} read={({ calls }) => calls} />
        <FigurePlot
          title="Server errors (5xx)"
          whole
          afterwards
          hours={hours}
          read={({ errors }) => errors}
          hint="Answers with a status of 500 or above."
        />
        <FigurePlot
          title="Latency of API calls"
          afterwards
          hours={hours}
          read={({ p95 }) => p95}
          write={milliseconds}
          hint="p95, without long-polling"
        />
        <FigurePlot title="Sign-ins" whole hours={hours} read={({ signIns }) => signIns} />
        <FigurePlot
          title="Delay of jobs"
          hours={hours}
          read={({ jobDelay }) => jobDelay}
          write={seconds}
          hint="From the moment a run is due to its start, on average."
        />
      </div>
      <Card flush>
        <ShowAsTable>
          <DataTable
            caption="The last 24 hours by hour"
            rows={[...hours].reverse()}
            rowKey={({ at }) => at.toISOString()}
            columns={[
              {
                header: "From",
                primary: true,
                nowrap: true,
                cell: ({ at }) => formatTimeOfDay(at),
              },
              { header: "Calls", numeric: true, cell: ({ calls }) => formatNumber(calls) },
              { header: "Refused", numeric: true, cell: ({ refused }) => formatNumber(refused) },
              { header: "Failed", numeric: true, cell: ({ errors }) => formatNumber(errors) },
              {
                header: "Sign-ins",
                numeric: true,
                cell: ({ signIns, failedSignIns }) => withFailed(signIns, failedSignIns),
              },
              {
                header: "Jobs",
                numeric: true,
                cell: ({ jobRuns, failedJobs }) => withFailed(jobRuns, failedJobs),
              },
            ]}
          />
        </ShowAsTable>
      </Card>
    </>
  );
}

const withFailed = (all: number, failed: number): string =>
  failed === 0 ? formatNumber(all) : `${formatNumber(all)}, ${formatNumber(failed)} failed`;

const before = (text: string) => `${text} before`;

function figuresOf(day: DayFigures, last: DayFigures) {
  return [
    {
      label: "API calls",
      value: formatNumber(day.calls),
      hint: formatChange(day.calls, last.calls),
    },
    {
      label: "Server errors",
      value: formatShareOf(day.errors, day.calls),
      hint: last.calls > 0 && before(formatShareOf(last.errors, last.calls)),
    },
    {
      label: "p95",
      value: day.p95 === null ? "–" : milliseconds(day.p95),
      hint: last.p95 !== null && before(milliseconds(last.p95)),
    },
    {
      label: "Sign-ins",
      value: formatNumber(day.signIns),
      hint: [
        formatChange(day.signIns, last.signIns),
        ...(day.failedSignIns > 0 ? [`${formatNumber(day.failedSignIns)} failed`] : []),
      ].join("; "),
    },
    {
      label: "Failed job runs",
      value: `${formatNumber(day.failedJobs)} of ${formatNumber(day.jobRuns)}`,
      hint: last.jobRuns > 0 && before(formatNumber(last.failedJobs)),
    },
  ];
}

function toneOf(concerns: readonly Concern[]) {
  if (concerns.length === 0) return "good";
  return concerns.some(({ tone }) => tone === "bad") ? "bad" : "warn";
}

type FigurePlotProps = {
  title: string;
  hours: readonly HourFigures[];
  /** Null if not measured. */
  read: (hour: HourFigures) => number | null;
  write?: (value: number) => string;
  hint?: string;
  /** True if the figure is a count. */
  whole?: boolean;
  /** True if the figure is known only after its hour, so the running hour is left out. */
  afterwards?: boolean;
};

function FigurePlot({
  title,
  hours,
  read,
  write = formatNumber,
  hint,
  whole,
  afterwards = false,
}: FigurePlotProps) {
  const values = (afterwards ? hours.slice(0, -1) : hours).map((hour) => ({
    at: hour.at,
    value: read(hour) ?? 0,
  }));
  const isEmpty = values.every(({ value }) => value === 0);
  return (
    <Card title={title} description={hint}>
      {isEmpty ? (
        <p className="text-sm text-ink-soft">None in the last 24 hours.</p>
      ) : (
        <Plot
          title={`${title} in the last 24 hours`}
          {...timePlot(values, { value: write, tick: write, from: 0, whole, running: !afterwards })}
          as="bars"
        />
      )}
    </Card>
  );
}
