import { classNames } from "./class-names";

type Props = {
  count: number;
  /** What waits: "unread", "waiting". */
  what: string;
  className?: string;
};

const mostShown = 99;

/** How many things wait behind a link. Nothing where none does. */
export function Waiting({ count, what, className }: Props) {
  if (count === 0) return null;
  return (
    <span
      className={classNames(
        "tabular grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1 text-xs font-medium text-on-accent",
        className,
      )}
    >
      {count > mostShown ? `${mostShown}+` : count}
      <span className="sr-only"> {what}</span>
    </span>
  );
}
