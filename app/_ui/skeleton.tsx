import { classNames } from "./class-names";

type Props = { className?: string };

/** A place that will hold something: give it the final size, so that nothing moves when the thing comes. */
export function Skeleton({ className }: Props) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        "block rounded-control bg-line/70 motion-safe:animate-[skeleton_1.6s_ease-in-out_infinite]",
        className,
      )}
    />
  );
}
