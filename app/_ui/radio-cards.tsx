import type { ReactNode } from "react";
import { classNames } from "./class-names";

type RadioCard = {
  value: string;
  label: ReactNode;
  hint?: ReactNode;
  icon?: ReactNode;
};

type Props = {
  name: string;
  legend: ReactNode;
  options: readonly RadioCard[];
  defaultValue?: string;
  hint?: ReactNode;
  error?: ReactNode;
  columns?: 1 | 2;
};

/** For choices that need a sentence each. */
export function RadioCards({
  name,
  legend,
  options,
  defaultValue,
  hint,
  error,
  columns = 2,
}: Props) {
  const errorId = error ? `${name}-error` : undefined;
  const hintId = hint ? `${name}-hint` : undefined;
  return (
    <fieldset aria-describedby={classNames(hintId, errorId) || undefined}>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {hint && (
        <p id={hintId} className="mb-2 text-sm text-ink-faint">
          {hint}
        </p>
      )}
      <div className={classNames("grid gap-3", columns === 2 && "sm:grid-cols-2")}>
        {options.map((option) => (
          <label
            key={option.value}
            className="relative flex gap-3 rounded-card border border-line-control/60 bg-surface p-4 shadow-control hover:border-line-control has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              required
              aria-invalid={error ? true : undefined}
              defaultChecked={defaultValue === option.value}
              className="mt-1 size-4 flex-none accent-accent outline-none"
            />
            <span className="min-w-0">
              <span className="flex items-center gap-2 font-medium">
                {option.icon}
                {option.label}
              </span>
              {option.hint && (
                <span className="mt-0.5 block text-sm text-ink-soft">{option.hint}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} className="mt-1.5 text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
