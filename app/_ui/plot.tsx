import type { ReactNode } from "react";
import { buttonStyle, classNames } from "./class-names";
import {
  coordinatesOf,
  type PlotPoint,
  type PlotShape,
  type PlotTick,
  plotHeight,
  plotWidth,
  stackKinds,
} from "./plot-points";
import { InteractivePlot } from "./plot-reader";

type Props = {
  title: string;
  points: readonly PlotPoint[];
  /** Axis labels, highest first. */
  heights: readonly [string, string, string];
  along: readonly PlotTick[];
  /** Line: a changing value; dots: separate values; bars: sums. */
  as: "line" | "dots" | "bars";
};

/** Least width of a bar: an hour of a month would be a fifth of a pixel wide on a phone. */
const thinnest = 2.5;

/** The server computes the shapes. Put a table of the values beside the plot. */
export function Plot({ title, points: given, heights, along: ticks, as }: Props) {
  const hasBars = as === "bars";
  const points = hasBars ? betweenEnds(given, given.length) : given;
  const running = hasBars ? points.find((point) => point.running) : undefined;
  return (
    <InteractivePlot
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
      along={hasBars ? betweenEnds(ticks, given.length) : ticks}
      shapes={hasBars ? barsOf(points) : [lineOf(points, as)]}
      hatched={running && barOf(running, { from: 0, to: running.y, of: points.length })}
    />
  );
}

/** Keeps the first and last bar inside the plot. */
const betweenEnds = <Placed extends { x: number }>(placed: readonly Placed[], bars: number) =>
  placed.map((one) => ({ ...one, x: (one.x * (bars - 1) + 0.5) / bars }));

/** A dot is a line without length and with round caps, because a circle would be stretched. */
const lineOf = (points: readonly PlotPoint[], as: "line" | "dots"): PlotShape => ({
  d:
    as === "line"
      ? `M${points.map(coordinatesOf).join("L")}`
      : points.map((point) => `M${coordinatesOf(point)}h0.01`).join(""),
  className: "fill-none stroke-accent",
  strokeWidth: as === "line" ? 1.75 : 6,
});

function barOf(
  { x }: PlotPoint,
  { from, to, of: bars }: { from: number; to: number; of: number },
): string {
  const wide = Math.max(thinnest, (0.7 * plotWidth) / bars);
  const [bottom, top] = [from, to].map((y) => ((1 - y) * plotHeight).toFixed(1));
  return `M${(x * plotWidth - wide / 2).toFixed(1)} ${bottom}h${wide.toFixed(1)}V${top}h-${wide.toFixed(1)}z`;
}

/** One path per kind, because a month has hundreds of bars. */
const barsOf = (points: readonly PlotPoint[]): PlotShape[] =>
  stackKinds.map(({ fill }, kind) => ({
    className: fill,
    d: points
      .map((point) => {
        const { parts = [point.y] } = point;
        const from = parts.slice(0, kind).reduce((sum, part) => sum + part, 0);
        return parts[kind] ? barOf(point, { from, to: from + parts[kind], of: points.length }) : "";
      })
      .join(""),
  }));

type ShowAsTableProps = { children: ReactNode; open?: boolean; className?: string };

export function ShowAsTable({ children, open, className }: ShowAsTableProps) {
  return (
    <details open={open} className={classNames("group", className)}>
      <summary className={classNames(buttonStyle({ size: "sm" }), "mx-4 my-3 sm:mx-5")}>
        <span className="group-open:hidden">Show as table</span>
        <span className="hidden group-open:inline">Hide table</span>
      </summary>
      <div className="border-t border-line">{children}</div>
    </details>
  );
}
