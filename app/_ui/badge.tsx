import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { type Tone, toneLine, toneText, toneWash } from "./tone";

type Props = { tone?: Tone; icon?: ReactNode; children: ReactNode };

/** One or two words about the thing beside it: "Public", "Verified", "Test". */
export function Badge({ tone = "neutral", icon, children }: Props) {
  return (
    <span
      className={classNames(
        "inline-flex items-center gap-1 rounded-full border px-2 text-xs leading-5 font-medium whitespace-nowrap [&_svg]:size-3",
        toneWash[tone],
        toneText[tone],
        toneLine[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
