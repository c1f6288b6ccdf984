import { formatCount } from "#app/_lib/format-count";

type Props = { days: readonly { day: string; calls: number; errors: number }[] };

/** The drawing's own units: it stretches to the width there is, so its words stand below it as text. */
const step = 10;
const bar = 6;
const height = 40;

const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" });

/** Calls a day as bars, the part that failed at their foot. The figures stand in the table beside it. */
export function TrafficChart({ days }: Props) {
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
