import { ChevronDown, CircleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names";

/** The props that a field hands to its control, so that label, hint and fault belong to it for every reader. */
export type FieldControl = {
  id: string;
  name: string;
  required: boolean;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

type FieldProps = {
  /** The control's name in the form; unique in the page unless `id` says otherwise. */
  name: string;
  label: ReactNode;
  id?: string;
  hint?: ReactNode;
  /** What is wrong and how to fix it. One sentence. */
  error?: ReactNode;
  required?: boolean;
  /** Beside the label of a field that is not required. */
  note?: string;
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
  note = "optional",
  hideLabel = false,
  className,
  children,
}: FieldProps) {
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  return (
    <div className={classNames("grid gap-1.5", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "w-fit text-sm font-medium"}>
        {label}
        {!required && <span className="ml-1.5 font-normal text-ink-faint">{note}</span>}
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

type InputProps = ComponentProps<"input"> & {
  /** Keys, ids, URLs and codes: fixed-width letters, no correction, no capitals. */
  code?: boolean;
};

/** One line of text. Give it what Field hands out. */
export function Input({ code = false, className, ...rest }: InputProps) {
  const asCode = code
    ? ({ autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const)
    : {};
  return (
    <input
      {...asCode}
      {...rest}
      className={classNames("control", code && "font-mono", className)}
    />
  );
}

type TextareaProps = ComponentProps<"textarea"> & {
  /** URIs and ids: fixed-width letters, no correction. */
  code?: boolean;
};

/** Several lines of text. It grows with what is typed, where the browser knows how. */
export function Textarea({ code = false, rows = 3, className, ...rest }: TextareaProps) {
  return (
    <textarea
      spellCheck={!code}
      {...rest}
      rows={rows}
      className={classNames(
        "control field-sizing-content resize-y",
        code && "font-mono",
        className,
      )}
    />
  );
}

type SelectProps = Omit<ComponentProps<"select">, "children" | "multiple"> & {
  options: readonly { value: string; label: string; disabled?: boolean }[];
};

/** A choice of one from a list: the platform's own list, which every reader, keyboard and telephone already knows. */
export function Select({ options, className, ...rest }: SelectProps) {
  return (
    <span className={classNames("relative block", className)}>
      <select {...rest} className="control appearance-none pr-9">
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-faint"
        aria-hidden="true"
      />
    </span>
  );
}

type CheckboxProps = Omit<ComponentProps<"input">, "type"> & {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
};

/** A box to tick, with its words beside it. The platform's own control: it is sent without script. */
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
