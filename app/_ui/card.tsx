"use client";

import type { ReactNode } from "react";
import { classNames } from "./class-names";

type Props = {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  /** No padding: for tables, lists and code. */
  flush?: boolean;
  dense?: boolean;
  tone?: "plain" | "danger";
  id?: string;
  children?: ReactNode;
};

export function Card({
  title,
  description,
  actions,
  footer,
  flush = false,
  dense = false,
  tone = "plain",
  id,
  children,
}: Props) {
  const hasHeading = Boolean(title || actions);
  const danger = tone === "danger";
  return (
    <section
      id={id}
      className={classNames(
        "min-w-0 overflow-clip rounded-card border bg-surface",
        danger ? "border-bad-line" : "border-line",
      )}
    >
      {hasHeading && (
        <div
          className={classNames(
            "flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 sm:px-5",
            dense ? "pt-2 pb-1 sm:pt-4 sm:pb-3" : "pt-4 pb-3",
          )}
        >
          <div className="min-w-0 flex-1 basis-56">
            <h2
              className={classNames("text-base font-semibold wrap-anywhere", danger && "text-bad")}
            >
              {title}
            </h2>
            {description && <div className="text-sm text-ink-soft">{description}</div>}
          </div>
          {actions && <div className="flex flex-none items-center gap-2">{actions}</div>}
        </div>
      )}
      {children && (
        <div
          className={classNames(
            "empty:hidden",
            !flush && "px-4 sm:px-5",
            !flush && (dense ? "pb-2 sm:pb-5" : "pb-5"),
            !flush && !hasHeading && "pt-5",
            flush && hasHeading && "border-t border-line",
          )}
        >
          {children}
        </div>
      )}
      {footer && (
        <div
          className={classNames(
            "flex flex-wrap items-center justify-between gap-3 border-t px-4 py-3 text-sm text-ink-soft sm:px-5",
            danger ? "border-bad-line bg-bad-wash" : "border-line bg-sunken",
          )}
        >
          {footer}
        </div>
      )}
    </section>
  );
}
