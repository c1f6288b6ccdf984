"use client";

import { type KeyboardEvent, type PointerEvent, useId, useState } from "react";
import { classNames } from "./class-names";
import { stackKinds } from "./stack-kinds";

export type PlotPoint = {
  /** Position and height, both 0 … 1. */
  x: number;
  y: number;
  /** "12 November", "5,600". */
  label: string;
  value: string;
  /** Incomplete step, drawn differently. */
  running?: boolean;
  /** Of a stack: heights by kind, from below. */
  parts?: readonly number[];
};

export type PlotTick = { x: number; name: string };

type Props = {
  /** "Price of the last 30 days". */
  title: string;
  points: readonly PlotPoint[];
  /** Axis labels, highest first. */
  heights: readonly [string, string, string];
  along: readonly PlotTick[];
  /** Line: a changing value; dots: separate values; bars: sums; stacks: calls by kind. */
  as: "line" | "dots" | "bars" | "stacks";
};

const width = 600;
const height = 160;

/**
 * Rendered on the server. Pointer or arrow keys select a point; without script the last one is
 * shown. Put a table of the values beside it.
 */
export function Plot({ title, points: given, heights, along: ticks, as }: Props) {
  const hasBars = as === "bars" || as === "stacks";
  const points = hasBars ? betweenEnds(given, given.length) : given;
  const along = hasBars ? betweenEnds(ticks, given.length) : ticks;
  const [chosen, setChosen] = useState(points.length - 1);
  const point = points[Math.min(chosen, points.length - 1)];
  if (!point) return null;

  const choose = (index: number) => setChosen(Math.max(0, Math.min(points.length - 1, index)));
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width: wide } = currentTarget.getBoundingClientRect();
    const x = (clientX - left) / wide;
    choose(
      points.reduce(
        (best, { x: at }, index) => (near(at, x) < near(points[best]?.x ?? 9, x) ? index : best),
        0,
      ),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: points.length - 1 }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  };

  return (
    <figure className="min-w-0">
      <p className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <span className="tabular text-md font-semibold">{point.value}</span>
        <span className="text-sm text-ink-faint">{point.label}</span>
      </p>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div
          className="tabular flex flex-col justify-between text-right text-xs leading-none text-ink-faint"
          aria-hidden="true"
        >
          {heights.map((words) => (
            <span key={words}>{words}</span>
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={title}
          aria-valuemin={1}
          aria-valuemax={points.length}
          aria-valuenow={Math.min(chosen, points.length - 1) + 1}
          aria-valuetext={`${point.label}: ${point.value}`}
          className="rounded-tag"
          onPointerMove={onPointerMove}
          onKeyDown={onKeyDown}
        >
          <svg
            viewBox={`0 0 ${width} ${height}`}
            className="h-40 w-full overflow-visible"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {[0, 0.5, 1].map((y) => (
              <path
                key={y}
                d={`M0 ${y * height}H${width}`}
                className="stroke-line"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            <Drawn points={points} as={as} />
            <path
              d={`M${point.x * width} 0V${height}`}
              className="stroke-line-control"
              strokeDasharray="2 3"
              vectorEffect="non-scaling-stroke"
            />
            {as !== "stacks" && (
              <Dot point={point} className="stroke-accent-text" strokeWidth={9} />
            )}
          </svg>
        </div>
        <svg
          className="tabular col-start-2 mt-1 h-4 w-full overflow-visible fill-ink-faint text-xs"
          aria-hidden="true"
        >
          {along.map(({ x, name }) => (
            <text key={name} x={`${x * 100}%`} y="12" textAnchor={anchorAt(x)}>
              {name}
            </text>
          ))}
        </svg>
      </div>
    </figure>
  );
}

/** Keeps the first and last bar inside the plot. */
const betweenEnds = <Placed extends { x: number }>(placed: readonly Placed[], bars: number) =>
  placed.map((one) => ({ ...one, x: (one.x * (bars - 1) + 0.5) / bars }));

const anchorAt = (x: number) => (x < 0.05 ? "start" : x > 0.95 ? "end" : "middle");

const near = (one: number, other: number) => Math.abs(one - other);
const place = ({ x, y }: PlotPoint) => `${(x * width).toFixed(1)} ${((1 - y) * height).toFixed(1)}`;

function Drawn({ points, as }: Pick<Props, "points" | "as">) {
  if (as === "dots")
    return points.map((point) => (
      <Dot key={`${point.x} ${point.y}`} point={point} className="stroke-accent" strokeWidth={6} />
    ));
  if (as === "line")
    return (
      <path
        d={`M${points.map(place).join("L")}`}
        className="fill-none stroke-accent"
        strokeWidth={1.75}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    );
  const wide = (0.7 * width) / Math.max(1, points.length);
  if (as === "stacks") return <Stacks points={points} wide={wide} />;
  return points.map(({ x, y, running }) => (
    <rect
      key={x}
      x={x * width - wide / 2}
      y={(1 - y) * height}
      width={wide}
      height={y * height}
      className={running ? "fill-accent/25 stroke-accent" : "fill-accent"}
      strokeDasharray={running ? "3 3" : undefined}
      vectorEffect="non-scaling-stroke"
    />
  ));
}

/** One path a kind: a month has hundreds of bars. The running bar is hatched. */
function Stacks({ points, wide }: { points: readonly PlotPoint[]; wide: number }) {
  const id = useId();
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
              const { parts = [] } = point;
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

/** A zero-length line with round caps: a circle would be stretched. */
function Dot({
  point,
  className,
  strokeWidth,
}: {
  point: PlotPoint;
  className: string;
  strokeWidth: number;
}) {
  return (
    <path
      d={`M${place(point)}h0.01`}
      className={classNames("fill-none", className)}
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      vectorEffect="non-scaling-stroke"
    />
  );
}
