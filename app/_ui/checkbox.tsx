import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names";

type Props = Omit<ComponentProps<"input">, "type"> & { name: string; label: ReactNode; hint?: ReactNode };

/** A box to tick, with its words beside it. The platform's own control: it is sent without script. */
export function Checkbox({ label, hint, id, className, ...rest }: Props) {
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
