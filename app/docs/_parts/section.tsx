import type { ReactNode } from "react";

type Props = { id: string; title: string; children: ReactNode };

/** A section of the documentation with an address of its own. */
export function Section({ id, title, children }: Props) {
  return (
    <section id={id} className="scroll-mt-6 border-t border-line pt-8 first:border-0 first:pt-0">
      <h2 className="mb-4 text-lg font-semibold">
        <a href={`#${id}`} className="rounded-tag hover:underline">
          {title}
        </a>
      </h2>
      <div className="grid gap-4">{children}</div>
    </section>
  );
}
