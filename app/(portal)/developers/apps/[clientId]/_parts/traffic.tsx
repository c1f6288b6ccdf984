import { caller } from "#lib/caller";
import { figure } from "#lib/figure";
import { Card } from "#ui/card";
import { DataTable } from "#ui/data-table";
import { EmptyState } from "#ui/empty-state";
import { LinkButton } from "#ui/link-button";
import { duration, shareOf } from "../../../_parts/in-words";
import { TrafficChart } from "./traffic-chart";

/** How the application was used over seven days: drawn, and in figures. */
export async function Traffic({ clientId }: { clientId: string }) {
  const { week, days } = await (await caller()).applications.traffic({ clientId });
  if (week.calls === 0)
    return (
      <Card title="Last seven days" flush>
        <EmptyState
          title="No call in the last seven days"
          action={<LinkButton href={`/developers/apps/${clientId}/failures`}>See what failed before</LinkButton>}
        >
          Calls appear here within a second. If you expected some, the token exchange may have been refused.
        </EmptyState>
      </Card>
    );
  return (
    <Card
      title="Last seven days"
      description="Days begin at midnight UTC. Latency is our part, without the way over the network."
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
            { key: "calls", header: "Calls", numeric: true, cell: ({ calls }) => figure(calls) },
            {
              key: "errors",
              header: "Errors",
              numeric: true,
              nowrap: true,
              cell: ({ errors, calls }) => (
                <>
                  {figure(errors)} <span className="text-ink-faint">({shareOf(errors, calls)})</span>
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
            { key: "players", header: "Players", numeric: true, cell: ({ players }) => figure(players) },
          ]}
        />
      </div>
    </Card>
  );
}
