import { caller } from "#app/_lib/caller";
import { adminTitle, requireAdmin } from "#app/_lib/current-user";
import { formatNumber, formatTimeOfDay } from "#app/_lib/format";
import { gameName } from "#app/_lib/settings";
import { Status } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { ShowAsTable } from "#app/_ui/show-as-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { Concern } from "#server/health/concerns";
import { hoursOf } from "#server/health/minute-metrics";
import { FigurePlot } from "./_parts/figure-plot";

export const generateMetadata = () => adminTitle("Overview");

const milliseconds = (value: number) => `${formatNumber(Math.round(value * 10) / 10)} ms`;
const seconds = (value: number) => `${formatNumber(Math.round(value * 10) / 10)} s`;

/** Concerns, and figures of the last 24 hours of all processes together. */
export default async function Overview() {
  await requireAdmin();
  const { concerns, figures } = await (await caller()).operations.overview();
  const hours = hoursOf(figures);
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Overview"
        lead="The last 24 hours of all processes together, in quarters of an hour. Times are UTC."
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
      <div className="grid gap-6 lg:grid-cols-2">
        <FigurePlot title="API calls" whole figures={figures} read={({ calls }) => calls} />
        <FigurePlot
          title="Server errors (5xx)"
          figures={figures}
          read={({ errors }) => errors}
          hint="Answers with a status of 500 or above, pages included."
        />
        <FigurePlot
          title="Latency of API calls"
          figures={figures}
          read={({ p95 }) => p95}
          write={milliseconds}
          hint="p95, without long-polling"
        />
        <FigurePlot title="Sign-ins" whole figures={figures} read={({ signIns }) => signIns} />
        <FigurePlot
          title="Delay of jobs"
          figures={figures}
          read={({ jobDelay }) => jobDelay}
          write={seconds}
          hint="From the moment a run is due to its start, on average."
        />
        <FigurePlot
          title={`Calls to ${gameName()}`}
          figures={figures}
          read={({ gameCalls }) => gameCalls}
        />
      </div>
      <Card flush>
        <ShowAsTable>
          <DataTable
            caption="The last 24 hours by hour"
            rows={hours}
            rowKey={({ at }) => at.toISOString()}
            columns={[
              {
                key: "at",
                header: "From",
                primary: true,
                nowrap: true,
                cell: ({ at }) => formatTimeOfDay(at),
              },
              {
                key: "calls",
                header: "Calls",
                numeric: true,
                cell: ({ calls }) => formatNumber(calls),
              },
              {
                key: "refused",
                header: "Refused",
                numeric: true,
                cell: ({ refused }) => formatNumber(refused),
              },
              {
                key: "errors",
                header: "Failed",
                numeric: true,
                cell: ({ errors }) => formatNumber(errors),
              },
              {
                key: "pages",
                header: "Pages",
                numeric: true,
                cell: ({ pages }) => formatNumber(pages),
              },
              {
                key: "signIns",
                header: "Sign-ins",
                numeric: true,
                cell: ({ signIns, failedSignIns }) => withFailed(signIns, failedSignIns),
              },
              {
                key: "game",
                header: `To ${gameName()}`,
                numeric: true,
                cell: ({ gameCalls, gameErrors }) => withFailed(gameCalls, gameErrors),
              },
              {
                key: "jobs",
                header: "Jobs",
                numeric: true,
                cell: ({ jobRuns, failedJobs }) => withFailed(jobRuns, failedJobs),
              },
            ]}
          />
        </ShowAsTable>
      </Card>
    </div>
  );
}

const withFailed = (all: number, failed: number): string =>
  failed === 0 ? formatNumber(all) : `${formatNumber(all)}, ${formatNumber(failed)} failed`;

function toneOf(concerns: readonly Concern[]) {
  if (concerns.length === 0) return "good";
  return concerns.some(({ tone }) => tone === "bad") ? "bad" : "warn";
}
