import { classNames } from "./class-names";

/** A button above chevrons, as on an officer's shoulder board. */
export function Insignia({ chevrons, className }: { chevrons: 1 | 2 | 3; className?: string }) {
  const top = 18 - chevrons * 3;
  return (
    <svg
      viewBox="0 0 32 32"
      className={classNames("size-8", className)}
      aria-hidden="true"
      focusable="false"
    >
      <circle className="fill-brass" cx="16" cy={top - 5} r="2.4" />
      {Array.from({ length: chevrons }, (_, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the chevrons differ in their place only.
          key={index}
          className="fill-none stroke-accent"
          strokeWidth="2.6"
          d={`m8 ${top + 6.5 + index * 5.5} 8-6.5 8 6.5`}
        />
      ))}
    </svg>
  );
}

export function Logo({ className }: { className?: string }) {
  return (
    <span className={classNames("inline-flex items-center gap-2", className)}>
      <svg
        viewBox="0 0 32 32"
        className="h-[1.7em] w-[1.7em] flex-none"
        aria-hidden="true"
        focusable="false"
      >
        <path
          className="fill-mark"
          d="M14.9 1.2a2.2 2.2 0 0 1 2.2 0l7.2 4a2.2 2.2 0 0 1 1.1 1.7l1.4 21.5a2.1 2.1 0 0 1-2.1 2.3H7.3a2.1 2.1 0 0 1-2.1-2.3L6.6 6.9a2.2 2.2 0 0 1 1.1-1.7z"
        />
        <circle className="fill-brass" cx="16" cy="8.4" r="2.8" />
        <path
          className="fill-none stroke-on-mark"
          strokeWidth="3"
          d="m9.2 20.5 6.8-5.7 6.8 5.7M8.9 27.5l7.1-5.9 7.1 5.9"
        />
      </svg>
      <span className="font-semibold tracking-[-0.02em]">Adjutant</span>
    </span>
  );
}
