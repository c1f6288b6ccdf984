import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

type StepsProps = {
  items: readonly { title: ReactNode; body?: ReactNode; content?: ReactNode }[];
};

export function Steps({ items }: StepsProps) {
  return (
    <ol className="grid">
      {items.map((item, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are numbered and never reordered.
          key={index}
          className="group relative grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-4 pb-7 last:pb-0"
        >
          <span
            className="tabular z-10 grid size-7 place-items-center rounded-full border border-line bg-surface text-xs font-semibold text-accent-text"
            aria-hidden="true"
          >
            {index + 1}
          </span>
          <span
            className="absolute top-7 bottom-0 left-3.5 w-px bg-line group-last:hidden"
            aria-hidden="true"
          />
          <div className="min-w-0 pt-0.5">
            <h3 className="text-base font-semibold">{item.title}</h3>
            {item.body && <div className="text-ink-soft">{item.body}</div>}
            {item.content && <div className="mt-3">{item.content}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

type StepProgressProps = {
  label: string;
  steps: readonly string[];
  /** Counted from 0. */
  current: number;
};

export function StepProgress({ label, steps, current }: StepProgressProps) {
  return (
    <ol aria-label={label} className="flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? "step" : undefined}
          className={classNames(
            "flex items-center gap-2",
            index === current ? "font-medium" : "text-ink-faint",
          )}
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
