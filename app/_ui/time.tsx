import { LiveTime } from "./live-time";

type Props = {
  /** A Date, or Unix seconds. */
  at: Date | number;
  className?: string;
};

const seconds = (value: Date | number) =>
  typeof value === "number" ? value : Math.floor(value.getTime() / 1_000);

/** Relative text that ticks; exact on hover and for machines. */
export const Time = ({ at, className }: Props) => (
  <LiveTime at={seconds(at)} renderedAt={seconds(new Date())} className={className} />
);
