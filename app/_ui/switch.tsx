import type { ComponentProps, ReactNode } from "react";

type Props = Omit<ComponentProps<"input">, "type" | "role" | "className"> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
};

/** On or off, at once or with the form. A checkbox underneath, so it is sent without script. */
export function Switch({ label, hint, id, ...rest }: Props) {
  const ownId = id ?? rest.name;
  const hintId = hint ? `${ownId}-hint` : undefined;
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <label htmlFor={ownId} className="block font-medium">
          {label}
        </label>
        {hint && (
          <p id={hintId} className="text-sm text-ink-faint">
            {hint}
          </p>
        )}
      </div>
      <span className="relative mt-0.5 inline-flex h-6 w-10 flex-none">
        <input
          {...rest}
          id={ownId}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox tells its own state; aria-checked would go stale without script.
          role="switch"
          aria-describedby={hintId}
          className="peer h-6 w-10 appearance-none rounded-full border border-line-control bg-sunken transition-colors checked:border-accent checked:bg-accent disabled:opacity-55 forced-colors:appearance-auto"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-ink-soft transition-transform peer-checked:translate-x-4 peer-checked:bg-on-accent forced-colors:hidden"
        />
      </span>
    </div>
  );
}
