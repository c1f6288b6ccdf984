import { formatCount, formatDay, formatNumber, formatTimeOfDay } from "#app/_lib/format";
import { timePlot } from "#app/_lib/time-plot";
import { type Column, DataTable } from "#app/_ui/data-table.tsx";
import { Plot } from "#app/_ui/plot.tsx";
import type { ApplicationActivity } from "#server/oauth/consents/list-consents";
import { nameCall } from "./name-call";

export function CallsChart({ days, calls }: Pick<ApplicationActivity, "days" | "calls">) {
  const plot = timePlot(
    days.map((day) => ({
      at: day,
      value: calls
        .filter((call) => call.day.getTime() === day.getTime())
        .reduce((sum, call) => sum + call.calls, 0),
    })),
    {
      value: (count) => formatCount(count, "time", "times"),
      tick: formatNumber,
      ...{ from: 0, whole: true, running: true, name: formatDay },
    },
  );
  return <Plot title="How often it did something, by day" as="bars" {...plot} />;
}

type Call = ApplicationActivity["calls"][number];

const dayInWords = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "long",
  timeZone: "UTC",
});

const columns: Column<Call>[] = [
  {
    header: "What it did",
    primary: true,
    cell: ({ method, route }) => nameCall(method, route).did,
  },
  {
    header: "Day",
    nowrap: true,
    cell: ({ day }) => (
      <time dateTime={day.toISOString().slice(0, 10)}>{dayInWords.format(day)}</time>
    ),
  },
  {
    header: "Last at (TCT)",
    numeric: true,
    cell: ({ last }) => <time dateTime={last.toISOString()}>{formatTimeOfDay(last)}</time>,
  },
  { header: "Times", numeric: true, cell: ({ calls }) => formatNumber(calls) },
  {
    header: "Refused",
    numeric: true,
    cell: ({ refused }) =>
      refused === 0 ? (
        <span className="text-ink-faint">0</span>
      ) : (
        <span className="text-bad">{formatNumber(refused)}</span>
      ),
  },
];

/** Includes refused calls. */
export function CallsTable({ calls }: Pick<ApplicationActivity, "calls">) {
  return (
    <DataTable
      caption="What it did, by day"
      dense
      columns={columns}
      rows={calls}
      rowKey={({ day, method, route }) => `${day.getTime()} ${method} ${route}`}
    />
  );
}
