import {
  formatCount,
  formatDay,
  formatNumber,
  formatShortDay,
  formatTimeOfDay,
} from "#app/_lib/format";
import { classNames } from "#app/_ui/class-names.tsx";
import { type Column, DataTable } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { ApplicationActivity } from "#server/oauth/consents/list-consents";
import { nameCall } from "./name-call";

/** Drawing units: `step` is a day's width, `bar` a column's. */
const height = 96;
const step = 20;
const bar = 14;

export function CallsChart({ days, calls }: Pick<ApplicationActivity, "days" | "calls">) {
  const sums = days.map((day) => ({
    day,
    ...sumOf(calls.filter((call) => call.day.getTime() === day.getTime())),
  }));
  const most = Math.max(1, ...sums.map((sum) => sum.calls));
  const total = sums.reduce((all, sum) => all + sum.calls, 0);
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return null;
  const words = `${formatCount(total, "call")} from ${formatDay(first)} to ${formatDay(last)}, at most ${formatNumber(most)} on one day.`;
  return (
    <figure>
      <svg
        viewBox={`0 0 ${days.length * step} ${height}`}
        className="h-24 w-full"
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        {sums.map((sum, index) => {
          const tall = scale(sum.calls, most);
          const bad = scale(sum.refused, most);
          const x = index * step + (step - bar) / 2;
          return (
            <g key={sum.day.getTime()}>
              <title>{`${formatDay(sum.day)}: ${formatCount(sum.calls, "call")}, ${formatNumber(sum.refused)} refused`}</title>
              <rect x={x} y={height - 1} width={bar} height={1} className="fill-line-control" />
              <rect
                x={x}
                y={height - tall}
                width={bar}
                height={tall - bad}
                className="fill-accent"
              />
              <rect x={x} y={height - bad} width={bar} height={bad} className="fill-bad" />
            </g>
          );
        })}
      </svg>
      <figcaption className="mt-2 flex justify-between gap-4 text-xs text-ink-faint">
        <span>{formatShortDay(first)}</span>
        <span className="flex flex-wrap justify-center gap-x-4 gap-y-1">
          <LegendKey className="bg-accent">Answered</LegendKey>
          <LegendKey className="bg-bad">Refused</LegendKey>
        </span>
        <span>{formatShortDay(last)}</span>
      </figcaption>
    </figure>
  );
}

function LegendKey({ className, children }: { className: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className={classNames("size-2.5 rounded-tag", className)} aria-hidden="true" />
      {children}
    </span>
  );
}

/** A minimum height keeps small counts visible. */
const scale = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(3, (count / most) * height);

const sumOf = (calls: ApplicationActivity["calls"]) => ({
  calls: calls.reduce((sum, call) => sum + call.calls, 0),
  refused: calls.reduce((sum, call) => sum + call.refused, 0),
});

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
          {address && (
            <code className="block font-mono text-xs wrap-anywhere text-ink-faint">{address}</code>
          )}
        </>
      );
    },
  },
  {
    key: "day",
    header: "Day",
    nowrap: true,
    cell: ({ day }) => (
      <time dateTime={day.toISOString().slice(0, 10)}>{dayInWords.format(day)}</time>
    ),
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

/** Includes refused calls. */
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
