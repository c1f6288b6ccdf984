import { ChevronRight } from "lucide-react";
import { TextLink } from "./text-link";

type Props = { items: readonly { label: string; href: string }[] };

/** The way from the top to the page above this one; the page itself is its heading. */
export function Breadcrumbs({ items }: Props) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex flex-wrap items-center gap-1 text-sm text-ink-faint">
        {items.map((item) => (
          <li key={item.href} className="flex items-center gap-1">
            <TextLink href={item.href} plain className="rounded-tag hover:text-ink hover:underline">
              {item.label}
            </TextLink>
            <ChevronRight className="size-3.5" aria-hidden="true" />
          </li>
        ))}
      </ol>
    </nav>
  );
}
