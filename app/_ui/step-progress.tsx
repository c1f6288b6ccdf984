import { Check } from "lucide-react";
import { classNames } from "./class-names";

type Props = {
  /** What the steps lead to: "Register an application". */
  label: string;
  steps: readonly string[];
  /** Counted from 0. */
  current: number;
};

/** How far one is in a short path of pages. */
export function StepProgress({ label, steps, current }: Props) {
  return (
    <ol aria-label={label} className="flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? "step" : undefined}
          className={classNames("flex items-center gap-2", index === current ? "font-medium" : "text-ink-faint")}
        >
          <span
            className={classNames(
              "tabular grid size-5.5 place-items-center rounded-full border text-xs",
              index < current && "border-good-line bg-good-wash text-good",
              index === current && "border-accent bg-accent text-on-accent",
              index > current && "border-line",
            )}
          >
            {index < current ? <Check className="size-3" aria-label="done" /> : index + 1}
          </span>
          {step}
        </li>
      ))}
    </ol>
  );
}
