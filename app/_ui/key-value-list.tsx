"use client";

import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { CopyButton } from "./copy-button";
import { Time } from "./time";

type Fact = {
  label: string;
  value?: ReactNode;
  /** A time instead of a value; `never` is the word for its absence. */
  at?: Date | null;
  never?: string;
  /** Text for a copy button, and the value if there is no other. */
  copy?: string;
  /** True takes a whole line; by default only long texts do. */
  wide?: boolean;
};

/** Longer values would wrap into many lines at half width. */
const longestInColumn = 36;

const isWide = ({ value, copy, wide }: Fact) =>
  wide ?? (copy !== undefined || (typeof value === "string" && value.length > longestInColumn));

export function KeyValueList({ items }: { items: readonly Fact[] }) {
  return (
    <div className="@container">
      <dl className="grid gap-x-10 gap-y-3 @2xl:grid-cols-2">
        {items.map((item) => (
          <div
            key={item.label}
            className={classNames(
              "grid gap-x-4",
              isWide(item)
                ? "@sm:grid-cols-[9rem_minmax(0,1fr)] @2xl:col-span-2"
                : "grid-cols-[minmax(0,8rem)_minmax(0,1fr)] @sm:grid-cols-[9rem_minmax(0,1fr)]",
            )}
          >
            <dt className="text-sm leading-6 text-ink-faint">{item.label}</dt>
            <dd className="flex min-w-0 items-start justify-between gap-2">
              <div className="min-w-0 wrap-anywhere">
                <FactValue {...item} />
              </div>
              {item.copy !== undefined && (
                <CopyButton text={item.copy} what={item.label} className="-my-0.5" />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function FactValue({ value, at, never = "Never", copy }: Fact) {
  if (at !== undefined) return at ? <Time at={at} /> : never;
  return value ?? <code className="text-sm">{copy}</code>;
}

type StatRowProps = { items: readonly { label: string; value: ReactNode; hint?: ReactNode }[] };

/** A long figure takes a line of its own on narrow screens. */
export function StatRow({ items }: StatRowProps) {
  return (
    <dl className="flex flex-wrap gap-px overflow-clip rounded-card border border-line bg-line">
      {items.map((item) => (
        <div key={item.label} className="grow basis-36 bg-surface px-4 py-3.5">
          <dt className="text-sm text-ink-faint">{item.label}</dt>
          <dd className="tabular mt-0.5 text-xl font-semibold">{item.value}</dd>
          {item.hint && <dd className="text-xs text-ink-faint">{item.hint}</dd>}
        </div>
      ))}
    </dl>
  );
}
