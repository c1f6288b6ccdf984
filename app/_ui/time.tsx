import { LiveTime } from "./live-time";

type Props = {
  /** A Date, or Unix seconds. */
  at: Date | number;
  /** The instant that it is seen from; the server's clock if absent. */
  now?: Date | number;
  className?: string;
};

const seconds = (value: Date | number) =>
  typeof value === "number" ? value : Math.floor(value.getTime() / 1_000);

/** A time: relative in the text, exact on hover and for machines. The text keeps up while the page stays open. */
export function Time({ at, now, className }: Props) {
  return (
    <LiveTime at={seconds(at)} renderedAt={seconds(now ?? new Date())} className={className} />
  );
}
