import type { ComponentProps } from "react";
import { classNames } from "./class-names";

type Props = ComponentProps<"textarea"> & {
  /** URIs and ids: fixed-width letters, no correction. */
  code?: boolean;
};

/** Several lines of text. It grows with what is typed, where the browser knows how. */
export function Textarea({ code = false, rows = 3, className, ...rest }: Props) {
  return (
    <textarea
      spellCheck={!code}
      {...rest}
      rows={rows}
      className={classNames("control field-sizing-content resize-y", code && "font-mono", className)}
    />
  );
}
