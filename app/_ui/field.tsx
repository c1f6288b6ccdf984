import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

/** What a field hands to its control, so that label, hint and fault belong to it for every reader. */
export type FieldControl = {
  id: string;
  name: string;
  required: boolean;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

type Props = {
  /** The control's name in the form; unique in the page unless `id` says otherwise. */
  name: string;
  label: ReactNode;
  id?: string;
  hint?: ReactNode;
  /** What is wrong and how to fix it. One sentence. */
  error?: ReactNode;
  required?: boolean;
  /** Keep the label for assistive technology only. */
  hideLabel?: boolean;
  className?: string;
  children: (control: FieldControl) => ReactNode;
};

/** A labelled control: `<Field name="amount" label="Amount">{(control) => <Input {...control} />}</Field>`. */
export function Field({
  name,
  label,
  id = name,
  hint,
  error,
  required = true,
  hideLabel = false,
  className,
  children,
}: Props) {
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  return (
    <div className={classNames("grid gap-1.5", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "w-fit text-sm font-medium"}>
        {label}
        {!required && <span className="ml-1.5 font-normal text-ink-faint">optional</span>}
      </label>
      {children({
        id,
        name,
        required,
        "aria-describedby": classNames(hintId, errorId) || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {error && (
        <p id={errorId} className="flex items-start gap-1.5 text-sm text-bad">
          <CircleAlert className="mt-[0.2rem] size-3.5 flex-none" aria-hidden="true" />
          <span>{error}</span>
        </p>
      )}
      {hint && (
        <p id={hintId} className="text-sm text-ink-faint">
          {hint}
        </p>
      )}
    </div>
  );
}
