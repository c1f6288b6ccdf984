import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { TextLink } from "./text-link";

type Trail = readonly { label: string; href: string }[];

/** The pages above this one; the heading is the page itself. */
const Breadcrumbs = ({ items }: { items: Trail }) => (
  <nav aria-label="Breadcrumb">
    <ol className="flex flex-wrap items-center gap-1 text-sm text-ink-faint">
      {items.map((item) => (
        <li key={item.href} className="flex items-center gap-1">
          <TextLink href={item.href} plain className="rounded-tag hover:text-ink hover:underline">
            {item.label}
          </TextLink>
          <ChevronRight className="size-3.5" />
        </li>
      ))}
    </ol>
  </nav>
);

type PageHeaderProps = {
  title: ReactNode;
  lead?: ReactNode;
  trail?: Trail;
  media?: ReactNode;
  status?: ReactNode;
  /** One primary action, and at most one more. */
  actions?: ReactNode;
};

/** Contains the page's only h1. */
export function PageHeader({ title, lead, trail, media, status, actions }: PageHeaderProps) {
  return (
    <div className="grid gap-2">
      {trail && <Breadcrumbs items={trail} />}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 items-start gap-3">
          {media}
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">{title}</h1>
              {status}
            </div>
            {lead && <div className="mt-0.5 max-w-prose text-ink-soft">{lead}</div>}
          </div>
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
    </div>
  );
}
