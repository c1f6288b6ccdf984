import { useId } from "react";
import { height, type PlotPoint, placeOf, stackKinds, width } from "./plot-points";
import { PlotReader } from "./plot-reader";

export type PlotTick = { x: number; name: string };

type Props = {
  title: string;
  points: readonly PlotPoint[];
  /** Axis labels, highest first. */
  heights: readonly [string, string, string];
  along: readonly PlotTick[];
  /** Line: a changing value; dots: separate values; bars: sums. */
  as: "line" | "dots" | "bars";
};

/** Of a bar: an hour of a month would be a fifth of a pixel wide on a phone. */
const thinnest = 2.5;

/** Drawn on the server. Put a table of the values beside it. */
export function Plot({ title, points: given, heights, along: ticks, as }: Props) {
  const hasBars = as === "bars";
  const points = hasBars ? betweenEnds(given, given.length) : given;
  const along = hasBars ? betweenEnds(ticks, given.length) : ticks;
  return (
    <PlotReader
      title={title}
      points={points.map(({ x, y, label, value }) => ({ x, y, label, value }))}
      hasDot={!hasBars}
      heights={
        <div
          className="tabular flex flex-col justify-between text-right text-xs leading-none text-ink-faint"
          aria-hidden="true"
        >
          {heights.map((words) => (
            <span key={words}>{words}</span>
          ))}
        </div>
      }
      along={
        <svg
          className="tabular col-start-2 mt-1 h-4 w-full overflow-visible fill-ink-faint text-xs"
          aria-hidden="true"
        >
          {along.map(({ x, name }, index) => (
            <text
              key={name}
              x={`${x * 100}%`}
              y="12"
              textAnchor={anchorAt(x)}
              // Five names overlap on a phone.
              className={
                along.length > 4 && (along.length - index) % 2 === 0 ? "max-sm:hidden" : ""
              }
            >
              {name}
            </text>
          ))}
        </svg>
      }
    >
      <path
        d={`M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}`}
        className="stroke-line"
        vectorEffect="non-scaling-stroke"
      />
      {hasBars ? <Bars points={points} /> : <Line points={points} as={as} />}
    </PlotReader>
  );
}

/** Keeps the first and last bar inside the plot. */
const betweenEnds = <Placed extends { x: number }>(placed: readonly Placed[], bars: number) =>
  placed.map((one) => ({ ...one, x: (one.x * (bars - 1) + 0.5) / bars }));

const anchorAt = (x: number) => (x < 0.05 ? "start" : x > 0.95 ? "end" : "middle");

/** A dot is a line without length and with round caps: a circle would be stretched. */
const Line = ({ points, as }: { points: readonly PlotPoint[]; as: "line" | "dots" }) => (
  <path
    d={
      as === "line"
        ? `M${points.map(placeOf).join("L")}`
        : points.map((point) => `M${placeOf(point)}h0.01`).join("")
    }
    className="fill-none stroke-accent"
    strokeWidth={as === "line" ? 1.75 : 6}
    strokeLinejoin="round"
    strokeLinecap={as === "line" ? "butt" : "round"}
    vectorEffect="non-scaling-stroke"
  />
);

/** One path a kind: a month has hundreds of bars. The running bar is hatched. */
function Bars({ points }: { points: readonly PlotPoint[] }) {
  const id = useId();
  const wide = Math.max(thinnest, (0.7 * width) / points.length);
  const bar = ({ x }: PlotPoint, from: number, to: number) =>
    `M${(x * width - wide / 2).toFixed(1)} ${((1 - from) * height).toFixed(1)}h${wide.toFixed(1)}V${((1 - to) * height).toFixed(1)}h-${wide.toFixed(1)}z`;
  const running = points.find((point) => point.running);
  return (
    <>
      {stackKinds.map(({ name, fill }, kind) => (
        <path
          key={name}
          className={fill}
          d={points
            .map((point) => {
              const { parts = [point.y] } = point;
              const from = parts.slice(0, kind).reduce((sum, part) => sum + part, 0);
              return parts[kind] ? bar(point, from, from + parts[kind]) : "";
            })
            .join("")}
        />
      ))}
      {running && (
        <>
          <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse">
            <path d="M-1 6L6-1M-1 1L1-1M4 6L6 4" className="stroke-surface" strokeWidth={1.5} />
          </pattern>
          <path d={bar(running, 0, running.y)} fill={`url(#${id})`} />
        </>
      )}
    </>
  );
}
