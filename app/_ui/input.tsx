import type { ComponentProps } from "react";
import { classNames } from "./class-names";

type Props = ComponentProps<"input"> & {
  /** Keys, ids, URLs and codes: fixed-width letters, no correction, no capitals. */
  code?: boolean;
};

/** One line of text. Give it what Field hands out. */
export function Input({ code = false, className, ...rest }: Props) {
  const asCode = code ? ({ autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const) : {};
  return <input {...asCode} {...rest} className={classNames("control", code && "font-mono", className)} />;
}
