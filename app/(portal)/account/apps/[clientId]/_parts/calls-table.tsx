import { formatNumber, formatTimeOfDay } from "#app/_lib/format";
import { type Column, DataTable } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { ApplicationActivity } from "#server/oauth/consents/list-consents";
import { nameCall } from "./name-call";

type Call = ApplicationActivity["calls"][number];

const dayInWords = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "long",
  timeZone: "UTC",
});

const columns: Column<Call>[] = [
  {
    key: "endpoint",
    header: "What it called",
    primary: true,
    cell: ({ method, route }) => {
      const { title, href, address } = nameCall(method, route);
      return (
        <>
          {href ? <TextLink href={href}>{title}</TextLink> : title}
          {address && <code className="block font-mono text-xs wrap-anywhere text-ink-faint">{address}</code>}
        </>
      );
    },
  },
  {
    key: "day",
    header: "Day",
    nowrap: true,
    cell: ({ day }) => <time dateTime={day.toISOString().slice(0, 10)}>{dayInWords.format(day)}</time>,
  },
  {
    key: "last",
    header: "Last at (UTC)",
    numeric: true,
    cell: ({ last }) => <time dateTime={last.toISOString()}>{formatTimeOfDay(last)}</time>,
  },
  { key: "calls", header: "Calls", numeric: true, cell: ({ calls }) => formatNumber(calls) },
  {
    key: "refused",
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

/** What was called on which day, and how often. */
export function CallsTable({ calls }: Pick<ApplicationActivity, "calls">) {
  return (
    <DataTable
      caption="Calls by day and endpoint"
      columns={columns}
      rows={calls}
      rowKey={({ day, method, route }) => `${day.getTime()} ${method} ${route}`}
    />
  );
}
