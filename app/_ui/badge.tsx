"use client";

import { BadgeCheck, Globe } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

/** One or two words: "Public", "Test". */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        "inline-flex items-center gap-1 rounded-full border px-2 text-xs leading-5 font-medium whitespace-nowrap [&_svg]:size-3",
        toneWash[tone],
        toneText[tone],
        toneLine[tone],
      )}
    >
      {children}
    </span>
  );
}

/** An admin checked the application's name, addresses and scopes. */
export const VerifiedBadge = () => (
  <Badge tone="good">
    <BadgeCheck />
    Verified
  </Badge>
);

/** DNS or a file on the domain names the application. */
export const ProvenDomainBadge = ({ domain }: { domain: string }) => (
  <span className="inline-flex min-w-0 items-center gap-1.5 text-sm text-good">
    <Globe className="size-4 flex-none" />
    <span className="min-w-0 wrap-anywhere">
      <bdi>{domain}</bdi>, proven
    </span>
  </span>
);

/** A state that changes by itself, as a dot and a word ("Live", "Paused", "Revoked"). */
export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-sm">
      <svg
        viewBox="0 0 8 8"
        className={classNames("size-2 flex-none", toneText[tone])}
        aria-hidden="true"
      >
        {tone === "neutral" ? (
          <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" strokeWidth="1.5" />
        ) : (
          <circle cx="4" cy="4" r="4" fill="currentColor" />
        )}
      </svg>
      {children}
    </span>
  );
}

/** A tone is never shown by colour alone: words or an icon repeat it. */
export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

export const toneText: Record<Tone, string> = {
  neutral: "text-ink-soft",
  accent: "text-accent-text",
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
};

export const toneWash: Record<Tone, string> = {
  neutral: "bg-sunken",
  accent: "bg-accent-wash",
  good: "bg-good-wash",
  warn: "bg-warn-wash",
  bad: "bg-bad-wash",
};

export const toneLine: Record<Tone, string> = {
  neutral: "border-line",
  accent: "border-accent-text/25",
  good: "border-good-line",
  warn: "border-warn-line",
  bad: "border-bad-line",
};
