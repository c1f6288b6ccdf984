"use client";

import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import { height, type PlotPoint, placeOf, width } from "./plot-points";

type Props = {
  title: string;
  points: readonly Pick<PlotPoint, "x" | "y" | "label" | "value">[];
  hasDot: boolean;
  /** Labels of the two axes, and what is drawn between them. */
  heights: ReactNode;
  along: ReactNode;
  children: ReactNode;
};

/** Pointer or arrow keys select a point; without script the last one is shown. */
export function PlotReader({ title, points, hasDot, heights, along, children }: Props) {
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
            viewBox={`0 0 ${width} ${height}`}
            className="h-40 w-full overflow-visible"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {children}
            <path
              d={`M${point.x * width} 0V${height}`}
              className="stroke-line-control"
              strokeDasharray="2 3"
              vectorEffect="non-scaling-stroke"
            />
            {hasDot && (
              <path
                d={`M${placeOf(point)}h0.01`}
                className="fill-none stroke-accent-text"
                strokeWidth={9}
                strokeLinecap="round"
                vectorEffect="non-scaling-stroke"
              />
            )}
          </svg>
        </div>
        {along}
      </div>
    </figure>
  );
}
