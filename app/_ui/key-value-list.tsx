"use client";

import type { ReactNode } from "react";
import { CopyButton } from "./copy-button";

type KeyValueListProps = {
  items: readonly {
    label: string;
    value: ReactNode;
    /** What a copy button copies, for ids and URLs. */
    copy?: string;
  }[];
};

/** Named values of one thing: names at the left, values at the right; stacked where it is narrow. */
export function KeyValueList({ items }: KeyValueListProps) {
  return (
    <dl className="divide-y divide-line">
      {items.map((item) => (
        <div
          key={item.label}
          className="grid gap-x-6 gap-y-0.5 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-[11rem_1fr]"
        >
          <dt className="text-sm leading-6 text-ink-faint">{item.label}</dt>
          <dd className="flex min-w-0 items-start justify-between gap-2">
            <div className="min-w-0 wrap-anywhere">{item.value}</div>
            {item.copy !== undefined && (
              <CopyButton text={item.copy} what={item.label} className="-my-0.5" />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type StatRowProps = { items: readonly { label: string; value: ReactNode; hint?: ReactNode }[] };

/** A few figures side by side, to be taken in at a glance; a long one takes a line of its own where it is narrow. */
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
