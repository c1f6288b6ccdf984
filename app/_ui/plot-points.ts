import type { SVGAttributes } from "react";

/** Drawing units. */
export const plotWidth = 600;
export const plotHeight = 160;

/** Both 0 … 1, from the left and from below. */
type Place = { x: number; y: number };

export const coordinatesOf = ({ x, y }: Place) =>
  `${(x * plotWidth).toFixed(1)} ${((1 - y) * plotHeight).toFixed(1)}`;

export type PlotPoint = Place & {
  /** "12 November", "5,600". */
  label: string;
  value: string;
  /** True for an incomplete step, which is drawn differently. */
  running?: boolean;
  /**
   * Heights of the bar's parts in the order of `stackKinds`; if absent, all is of the first kind.
   */
  parts?: readonly number[];
};

/** Kinds of calls in a stack, from below. */
export const stackKinds = [
  { name: "OK", fill: "fill-accent", mark: "bg-accent" },
  { name: "4xx", fill: "fill-brass", mark: "bg-brass" },
  { name: "429", fill: "fill-ink-faint", mark: "bg-ink-faint" },
  { name: "5xx", fill: "fill-bad", mark: "bg-bad" },
] as const;

export type PlotTick = { x: number; name: string };
export type PlotShape = Pick<SVGAttributes<SVGPathElement>, "className" | "strokeWidth"> & {
  d: string;
};
