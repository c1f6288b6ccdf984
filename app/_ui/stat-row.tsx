import type { ReactNode } from "react";

type Props = { items: readonly { label: string; value: ReactNode; hint?: ReactNode }[] };

/** A few figures side by side, to be taken in at a glance. */
export function StatRow({ items }: Props) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-clip rounded-card border border-line bg-line lg:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
      {items.map((item) => (
        <div key={item.label} className="bg-surface px-4 py-3.5">
          <dt className="text-sm text-ink-faint">{item.label}</dt>
          <dd className="tabular mt-0.5 text-xl font-semibold">{item.value}</dd>
          {item.hint && <dd className="text-xs text-ink-faint">{item.hint}</dd>}
        </div>
      ))}
    </dl>
  );
}
