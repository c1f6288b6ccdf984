import { LiveTime } from "./live-time";

type Props = {
  /** A Date, or Unix seconds. */
  at: Date | number;
  /** Reference instant; default: the server's clock. */
  now?: Date | number;
  className?: string;
};

const seconds = (value: Date | number) =>
  typeof value === "number" ? value : Math.floor(value.getTime() / 1_000);

/** Relative text that ticks; exact on hover and for machines. */
export function Time({ at, now, className }: Props) {
  return (
    <LiveTime at={seconds(at)} renderedAt={seconds(now ?? new Date())} className={className} />
  );
}
