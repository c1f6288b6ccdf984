"use client";

type Props = {
  /** 0 … 1. */
  share: number;
  /** Of the filled part. */
  fill: string;
  className: string;
};

/** Decoration: its figure is beside it. A client component for the reason that PlotReader gives. */
export const ShareBar = ({ share, fill, className }: Props) => (
  <svg viewBox="0 0 100 4" preserveAspectRatio="none" className={className} aria-hidden="true">
    <rect width="100" height="4" rx="0.5" className="fill-line" />
    <rect width={share * 100} height="4" className={fill} />
  </svg>
);
