import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "./class-names";

type Props = Omit<ComponentProps<"select">, "children" | "multiple"> & {
  options: readonly { value: string; label: string; disabled?: boolean }[];
};

/** A choice of one from a list: the platform's own list, which every reader, keyboard and telephone already knows. */
export function Select({ options, className, ...rest }: Props) {
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
