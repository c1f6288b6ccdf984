"use client";

import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useState } from "react";
import {
  coordinatesOf,
  type PlotPoint,
  type PlotShape,
  type PlotTick,
  plotHeight,
  plotWidth,
} from "./plot-points";

/*
 * These client components get data instead of elements, because React hides streamed elements of an
 * svg by an inline style, which the Content Security Policy blocks.
 */

type Props = {
  title: string;
  points: readonly Pick<PlotPoint, "x" | "y" | "label" | "value">[];
  hasDot: boolean;
  heights: ReactNode;
  along: readonly PlotTick[];
  shapes: readonly PlotShape[];
  /** Path of the incomplete last bar. */
  hatched: string | undefined;
};

/** Pointer or arrow keys select a point; without script the last one is shown. */
export function InteractivePlot({ title, points, hasDot, heights, along, shapes, hatched }: Props) {
  const id = useId();
  const last = points.length - 1;
  const [chosen, setChosen] = useState(last);
  const index = Math.min(chosen, last);
  const point = points[index];
  if (!point) return null;

  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect();
    const distances = points.map(({ x }) => Math.abs(x - (clientX - box.left) / box.width));
    setChosen(distances.indexOf(Math.min(...distances)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, to)));
  };

  return (
    <figure className="min-w-0">
      <p className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <span className="tabular text-md font-semibold">{point.value}</span>
        <span className="text-sm text-ink-faint">{point.label}</span>
      </p>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        {heights}
        <div
          role="slider"
          tabIndex={0}
          aria-label={title}
          aria-valuemin={1}
          aria-valuemax={points.length}
          aria-valuenow={index + 1}
          aria-valuetext={`${point.label}: ${point.value}`}
          className="rounded-tag"
          onPointerMove={onPointerMove}
          onKeyDown={onKeyDown}
        >
          <svg
            viewBox={`0 0 ${plotWidth} ${plotHeight}`}
            className="h-40 w-full overflow-visible"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <path
              d={`M0 0H${plotWidth}M0 ${plotHeight / 2}H${plotWidth}M0 ${plotHeight}H${plotWidth}`}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
            {shapes.map((shape) => (
              <path
                key={shape.className}
                strokeLinejoin="round"
                strokeLinecap="round"
                vectorEffect="non-scaling-stroke"
                {...shape}
              />
            ))}
            {hatched !== undefined && (
              <>
                <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse">
                  <path
                    d="M-1 6L6-1M-1 1L1-1M4 6L6 4"
                    className="stroke-surface"
                    strokeWidth={1.5}
                  />
                </pattern>
                <path d={hatched} fill={`url(#${id})`} />
              </>
            )}
            <path
              d={`M${point.x * plotWidth} 0V${plotHeight}`}
              className="stroke-line-control"
              strokeDasharray="2 3"
              vectorEffect="non-scaling-stroke"
            />
            {hasDot && (
              <path
                d={`M${coordinatesOf(point)}h0.01`}
                className="fill-none stroke-accent-text"
                strokeWidth={9}
                strokeLinecap="round"
                vectorEffect="non-scaling-stroke"
              />
            )}
          </svg>
        </div>
        <svg
          className="tabular col-start-2 mt-1 h-4 w-full overflow-visible fill-ink-faint text-xs"
          aria-hidden="true"
        >
          {along.map(({ x, name }, index) => (
            <text
              key={name}
              x={`${x * 100}%`}
              y="12"
              textAnchor={x < 0.05 ? "start" : x > 0.95 ? "end" : "middle"}
              // Five names overlap on a phone.
              className={
                along.length > 4 && (along.length - index) % 2 === 0 ? "max-sm:hidden" : ""
              }
            >
              {name}
            </text>
          ))}
        </svg>
      </div>
    </figure>
  );
}

type ShareBarProps = {
  /** 0 … 1. */
  share: number;
  fill: string;
  className: string;
};

/** Decoration beside its figure. */
export const RatioBar = ({ share, fill, className }: ShareBarProps) => (
  <svg viewBox="0 0 100 4" preserveAspectRatio="none" className={className} aria-hidden="true">
    <rect width="100" height="4" rx="0.5" className="fill-line" />
    <rect width={share * 100} height="4" className={fill} />
  </svg>
);
