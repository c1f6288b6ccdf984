// Separate from field.tsx, because a page loads a module as a whole.
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names";

type CheckboxProps = Omit<ComponentProps<"input">, "type"> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
};

/** A native checkbox, so that a form without script sends it. */
export function Checkbox({ label, hint, id, className, ...rest }: CheckboxProps) {
  const ownId = id ?? (rest.value === undefined ? rest.name : `${rest.name}-${rest.value}`);
  const hintId = hint ? `${ownId}-hint` : undefined;
  return (
    <div className={classNames("flex items-start gap-2.5", className)}>
      <input
        {...rest}
        id={ownId}
        type="checkbox"
        aria-describedby={hintId ?? rest["aria-describedby"]}
        className="mt-[0.28rem] size-4 flex-none rounded-tag accent-accent disabled:opacity-60"
      />
      <div className="min-w-0">
        <label htmlFor={ownId} className="block">
          {label}
        </label>
        {hint && (
          <p id={hintId} className="text-sm text-ink-faint">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
