import type { ReactNode } from "react";
import { buttonStyle, classNames } from "./class-names";

type Props = { children: ReactNode; open?: boolean; className?: string };

/** Opens without script. */
export function ShowAsTable({ children, open, className }: Props) {
  return (
    <details open={open} className={classNames("group", className)}>
      <summary className={classNames(buttonStyle({ size: "sm" }), "mx-4 my-3 sm:mx-5")}>
        <span className="group-open:hidden">Show as table</span>
        <span className="hidden group-open:inline">Hide table</span>
      </summary>
      <div className="border-t border-line">{children}</div>
    </details>
  );
}
