import { classNames } from "./class-names";

type Props = { chevrons: 1 | 2 | 3; className?: string };

/** A rank in the mark's own hand: a button and one to three chevrons. Decoration. */
export function Insignia({ chevrons, className }: Props) {
  const top = 18 - chevrons * 3;
  return (
    <svg viewBox="0 0 32 32" className={classNames("size-8", className)} aria-hidden="true" focusable="false">
      <circle className="fill-brass" cx="16" cy={top - 5} r="2.4" />
      {Array.from({ length: chevrons }, (_, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the chevrons are alike; their place is all that tells them apart.
          key={index}
          className="fill-none stroke-accent"
          strokeWidth="2.6"
          d={`m8 ${top + 6.5 + index * 5.5} 8-6.5 8 6.5`}
        />
      ))}
    </svg>
  );
}
