import { ChevronDown, CircleAlert } from "lucide-react";
import type { ComponentProps, ComponentType, ReactNode } from "react";
import { classNames } from "./class-names";

/** Attributes that bind label, hint and fault to the control. */
type FieldControl = {
  id: string;
  name: string;
  required: boolean;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

type FieldProps = {
  /** Serves as id unless `id` is given. */
  name: string;
  label: ReactNode;
  id?: string;
  hint?: ReactNode;
  /** The fault and its remedy, in one sentence. */
  error?: ReactNode;
  required?: boolean;
  /** Note of an optional field; an empty text hides it. */
  note?: string;
  className?: string;
  children: (control: FieldControl) => ReactNode;
};

function Field({
  name,
  label,
  id = name,
  hint,
  error,
  required = true,
  note = "optional",
  className,
  children,
}: FieldProps) {
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  return (
    <div className={classNames("grid gap-1.5", className)}>
      <label htmlFor={id} className="w-fit text-sm font-medium">
        {label}
        {!required && note && <span className="ml-1.5 font-normal text-ink-faint">{note}</span>}
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
          <CircleAlert className="mt-[0.2rem] size-3.5 flex-none" />
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
  /** For keys, ids, URLs and codes: monospaced, no correction, no capitals. */
  code?: boolean;
};

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
  /** For URIs and ids: monospaced, no correction. */
  code?: boolean;
};

/** Grows with its content where the browser supports it. */
function Textarea({ code = false, rows = 3, className, ...rest }: TextareaProps) {
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

type SelectProps = Omit<ComponentProps<"select">, "children" | "className" | "multiple"> & {
  options: readonly { value: string; label: string }[];
};

/** The native select, familiar to every screen reader, keyboard and phone. */
export function Select({ options, ...rest }: SelectProps) {
  return (
    <span className="relative block">
      <select {...rest} className="control appearance-none pr-9">
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-faint" />
    </span>
  );
}

type FieldWith<Props> = Omit<FieldProps, "children"> & Omit<Props, keyof FieldProps>;

function holding<Props extends object>(
  Control: ComponentType<Props & FieldControl>,
  props: FieldWith<Props>,
) {
  const { name, label, id, hint, error, required, note, className, ...rest } = props;
  return (
    <Field {...{ name, label, id, hint, error, required, note, className }}>
      {(control) => <Control {...(rest as unknown as Props)} {...control} />}
    </Field>
  );
}

export const InputField = (props: FieldWith<InputProps>) => holding(Input, props);
export const SelectField = (props: FieldWith<SelectProps>) => holding(Select, props);
export const TextareaField = (props: FieldWith<TextareaProps>) => holding(Textarea, props);
