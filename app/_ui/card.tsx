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

type EmptyStateProps = {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
};

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-4 py-10 text-center sm:py-14">
      {icon && (
        <div className="mb-3 text-ink-faint [&_svg]:size-7 [&_svg]:stroke-[1.5]">{icon}</div>
      )}
      <p className="font-medium">{title}</p>
      {children && <div className="mt-1 max-w-96 text-sm text-ink-soft">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
