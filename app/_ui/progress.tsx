import { classNames } from "./class-names";

type ProgressProps = {
  done: number;
  of: number;
  label: string;
};

export function Progress({ done, of, label }: ProgressProps) {
  return (
    <progress
      className="mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
      value={done}
      max={of}
      aria-label={label}
    />
  );
}

/** Needs the final size, to avoid layout shift. */
export function Skeleton({ className }: { className?: string }) {
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
