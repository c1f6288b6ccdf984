type Props = {
  done: number;
  of: number;
  /** What is under way. */
  label: string;
};

/** How much of something is done. */
export function Progress({ done, of, label }: Props) {
  return (
    <progress
      className="mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
      value={done}
      max={of}
      aria-label={label}
    />
  );
}
