"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonStyle, classNames } from "./class-names";

type Props = {
  href: string;
  children: ReactNode;
  /** Forces a full page load. */
  document?: boolean;
  /** Without link style. */
  plain?: boolean;
  className?: string;
  "aria-current"?: "page" | undefined;
  "aria-label"?: string;
};

/**
 * Addresses that are no pages, and pages with headers of their own (sign-in, confirmation,
 * consent), which a soft navigation would not apply.
 */
const wholeDocument = /^\/(?:api|\.well-known|health|oauth|sign-in|confirm|consent)(?:[/?]|$)/;

const look =
  "text-accent-text underline decoration-accent-text/35 underline-offset-[0.2em] hover:decoration-accent-text";

/** External links open a new tab without referrer; internal ones use soft navigation. */
export function TextLink({
  href,
  children,
  document = false,
  plain = false,
  className,
  ...aria
}: Props) {
  const classes = classNames(!plain && look, className);
  if (/^https?:\/\//.test(href)) {
    return (
      <a href={href} className={classes} target="_blank" rel="noopener noreferrer" {...aria}>
        {children}
      </a>
    );
  }
  if (document || !href.startsWith("/") || wholeDocument.test(href)) {
    return (
      <a href={href} className={classes} {...aria}>
        {children}
      </a>
    );
  }
  // Not prefetched, because pages are rendered per request (nonces, sessions).
  return (
    <Link href={href} prefetch={false} className={classes} {...aria}>
      {children}
    </Link>
  );
}

type LinkButtonProps = {
  href: string;
  children: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
  document?: boolean;
};

/** Navigates. An act needs a `Button` in a form. */
export const LinkButton = ({ variant, size, ...link }: LinkButtonProps) => (
  <TextLink {...link} plain className={buttonStyle({ variant, size })} />
);
