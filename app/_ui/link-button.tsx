import type { ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonStyle } from "./button-style";
import { classNames } from "./class-names";
import { TextLink } from "./text-link";

type Props = {
  href: string;
  children: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
  block?: boolean;
  /** Load a whole new document; see TextLink. */
  document?: boolean;
  className?: string;
};

/** A link that looks like a button: for going somewhere. What changes something is a Button in a form. */
export function LinkButton({ variant, size, block, className, ...link }: Props) {
  return <TextLink {...link} plain className={classNames(buttonStyle({ variant, size, block }), className)} />;
}
