import { caller } from "#app/_lib/caller";
import { formatCount, formatNumber } from "#app/_lib/format";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { duration, shareOf } from "#app/(portal)/developers/_parts/format-traffic";

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

type ChartProps = { days: readonly { day: string; calls: number; errors: number }[] };

/** The drawing's own units: it stretches to the width there is, so its words stand below it as text. */
const step = 10;
const bar = 6;
const height = 40;

const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" });

/** Calls a day as bars, the part that failed at their foot. The figures stand in the table beside it. */
function TrafficChart({ days }: ChartProps) {
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  const scaled = (many: number) => (many / most) * (height - 1);
  const words = days.map(
    ({ day, calls, errors }) => `${day}: ${formatCount(calls, "call")}, ${formatCount(errors, "error")}`,
  );
  return (
    <figure className="px-4 pt-4 pb-3 sm:px-5">
      <svg
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        className="block h-32 w-full border-b border-line-control"
        role="img"
        aria-label={`Calls by day. ${words.join("; ")}`}
      >
        {days.map(({ day, calls, errors }, index) => {
          const x = index * step + (step - bar) / 2;
          return (
            <g key={day}>
              <rect x={x} y={height - scaled(calls)} width={bar} height={scaled(calls)} className="fill-accent-text" />
              <rect x={x} y={height - scaled(errors)} width={bar} height={scaled(errors)} className="fill-bad" />
            </g>
          );
        })}
      </svg>
      <figcaption>
        <div className="grid grid-cols-7 pt-1 text-center text-xs text-ink-faint" aria-hidden="true">
          {days.map(({ day }) => (
            <span key={day}>{weekday.format(new Date(day))}</span>
          ))}
        </div>
        <div className="flex flex-wrap gap-x-5 gap-y-1 pt-2 text-xs text-ink-soft">
          <Key className="fill-accent-text">Calls</Key>
          <Key className="fill-bad">Errors</Key>
        </div>
      </figcaption>
    </figure>
  );
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg viewBox="0 0 8 8" className="size-2.5" aria-hidden="true">
        <rect width="8" height="8" className={className} />
      </svg>
      {children}
    </span>
  );
}
