import type { ReactNode } from "react";

type Props = { id: string; title: ReactNode; children: ReactNode };

/** A part of a page, with an address of its own. */
export function DocSection({ id, title, children }: Props) {
  return (
    <section aria-labelledby={id} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id={id} className="scroll-mt-6 text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
