import { classNames } from "./class-names";

type Props = {
  /** Hide the word beside the mark, for narrow places. The name stays readable to assistive technology. */
  markOnly?: boolean;
  className?: string;
};

/** The mark: an officer's shoulder board, its button and one chevron, which together draw an A and a person standing for you. */
export function Logo({ markOnly = false, className }: Props) {
  return (
    <span className={classNames("inline-flex items-center gap-2", className)}>
      <svg viewBox="0 0 32 32" className="h-[1.65em] w-[1.65em] flex-none" aria-hidden="true" focusable="false">
        <path
          className="fill-accent"
          d="M14.9 1.6a2 2 0 0 1 2.2 0l9.5 6.2a2 2 0 0 1 .9 1.7v18a2.5 2.5 0 0 1-2.5 2.5H7a2.5 2.5 0 0 1-2.5-2.5v-18a2 2 0 0 1 .9-1.7z"
        />
        <circle className="fill-brass" cx="16" cy="10.6" r="2.7" />
        <path
          className="fill-none stroke-on-accent"
          strokeWidth="3.2"
          strokeLinecap="square"
          d="M10.2 24.2 16 17.4l5.8 6.8"
        />
      </svg>
      <span className={markOnly ? "sr-only" : "font-semibold tracking-[-0.02em]"}>Adjutant</span>
    </span>
  );
}
