"use client";

import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { type Tone, toneLine, toneText, toneWash } from "./badge";
import { classNames } from "./class-names";

type Props = {
  tone?: Tone;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** Announces the text at once, for answers that arrive after the page. */
  live?: boolean;
};

const icons = {
  neutral: Info,
  accent: Info,
  good: CircleCheck,
  warn: TriangleAlert,
  bad: CircleAlert,
} as const;

export function Alert({ tone = "accent", title, children, actions, live = false }: Props) {
  const Icon = icons[tone];
  return (
    <div
      role={live ? (tone === "bad" ? "alert" : "status") : undefined}
      className={classNames(
        "relative flex items-start gap-3 rounded-card border px-4 py-2 sm:py-3",
        toneWash[tone],
        toneLine[tone],
      )}
    >
      <Icon className={classNames("mt-0.75 size-4.5 flex-none", toneText[tone])} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {title && <p className="font-medium">{title}</p>}
        {children && (
          <div className={classNames("text-sm", title ? "text-ink-soft" : "leading-6 text-ink")}>
            {children}
          </div>
        )}
        {actions && <div className="mt-2.5 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
