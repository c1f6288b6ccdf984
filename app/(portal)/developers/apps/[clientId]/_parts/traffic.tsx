import { caller } from "#app/_lib/caller";
import { formatNumber } from "#app/_lib/format-count";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/empty-state.tsx";
import { LinkButton } from "#app/_ui/link-button.tsx";
import { duration, shareOf } from "#app/(portal)/developers/_parts/in-words";
import { TrafficChart } from "./traffic-chart";

/** How the application was used over seven days: drawn, and in figures. */
export async function Traffic({ clientId }: { clientId: string }) {
  const { week, days } = await (await caller()).applications.traffic({ clientId });
  if (week.calls === 0)
    return (
      <Card title="Last seven days" flush>
        <EmptyState
          title="No call in the last seven days"
          action={<LinkButton href={`/developers/apps/${clientId}/failures`}>See failed attempts</LinkButton>}
        >
          Calls appear here within a second. If you expected some, the token request may have been refused.
        </EmptyState>
      </Card>
    );
  return (
    <Card
      title="Last seven days"
      description="Days start at midnight UTC. Latency is server time, without the network."
      flush
    >
      <TrafficChart days={days} />
      <div className="border-t border-line">
        <DataTable
          caption="Calls by day"
          rows={[{ ...week, day: null }, ...days.filter(({ calls }) => calls > 0).reverse()]}
          rowKey={({ day }) => day ?? "week"}
          columns={[
            {
              key: "day",
              header: "Day",
              primary: true,
              nowrap: true,
              cell: ({ day }) => (day === null ? <strong className="font-semibold">All seven days</strong> : day),
            },
            { key: "calls", header: "Calls", numeric: true, cell: ({ calls }) => formatNumber(calls) },
            {
              key: "errors",
              header: "Errors",
              numeric: true,
              nowrap: true,
              cell: ({ errors, calls }) => (
                <>
                  {formatNumber(errors)} <span className="text-ink-faint">({shareOf(errors, calls)})</span>
                </>
              ),
            },
            {
              key: "median",
              header: "Median",
              numeric: true,
              nowrap: true,
              cell: ({ medianMicros }) => duration(medianMicros),
            },
            {
              key: "p95",
              header: "95th percentile",
              numeric: true,
              nowrap: true,
              cell: (row) => duration(row.p95Micros),
            },
            { key: "players", header: "Players", numeric: true, cell: ({ players }) => formatNumber(players) },
          ]}
        />
      </div>
    </Card>
  );
}
