"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonStyle, classNames } from "./class-names";

type Props = {
  href: string;
  children: ReactNode;
  /** Load a whole new document, where that is not plain from the address. */
  document?: boolean;
  /** Without the look of a link. */
  plain?: boolean;
  className?: string;
  "aria-current"?: "page" | undefined;
  "aria-label"?: string;
};

/** Addresses that are no pages, and pages with headers of their own (sign-in, consent), which a soft navigation would not apply. */
const wholeDocument = /^\/(?:api|\.well-known|health|oauth|sign-in|consent)(?:[/?]|$)/;

const look =
  "text-accent-text underline decoration-accent-text/35 underline-offset-[0.2em] hover:decoration-accent-text";

/** A link. Another site opens in a new tab and gets no referrer; a page of ours is fetched without reloading the document. */
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
  // Pages are rendered per request (nonces, sessions): fetching each one that scrolls into view would only cost the server.
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
  block?: boolean;
  /** Load a whole new document; see TextLink. */
  document?: boolean;
  className?: string;
};

/** A link that looks like a button: for going somewhere. What changes something is a Button in a form. */
export function LinkButton({ variant, size, block, className, ...link }: LinkButtonProps) {
  return (
    <TextLink
      {...link}
      plain
      className={classNames(buttonStyle({ variant, size, block }), className)}
    />
  );
}
