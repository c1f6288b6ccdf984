import { Circle, CircleCheck } from "lucide-react";
import type { RouterOutputs } from "#server/portal/router";

type Props = { items: RouterOutputs["verification"]["show"]["checklist"] };

export const Checklist = ({ items }: Props) => (
  <ul className="grid gap-1.5">
    {items.map(({ label, met }) => {
      const Icon = met ? CircleCheck : Circle;
      return (
        <li key={label} className="flex items-start gap-2">
          <Icon
            className={`mt-1 size-4 flex-none ${met ? "text-good" : "text-ink-faint"}`}
            aria-hidden="true"
          />
          <span>
            {label}
            <span className={met ? "sr-only" : "text-sm text-warn"}>
              {met ? ": done" : " – missing"}
            </span>
          </span>
        </li>
      );
    })}
  </ul>
);
