import type { ReactNode } from "react";
import { Button } from "#app/_ui/button.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";

type FilterFormProps = {
  /** Path of the page itself. */
  action: string;
  /** True offers a link back to the whole list. */
  isFiltered?: boolean;
  submit?: string;
  className?: string;
  children: ReactNode;
};

/** Filter fields are optional, but show no note that says so. */
export const filterFieldProps = { required: false, note: "" } as const;

/** A GET form, so that a filtered list has an address. */
export const FilterForm = ({
  action,
  isFiltered,
  submit = "Filter",
  className,
  children,
}: FilterFormProps) => (
  <search className={className}>
    <form method="get" action={action} className="flex flex-wrap items-end gap-3">
      {children}
      <Button type="submit">{submit}</Button>
      {isFiltered && (
        <TextLink href={action} className="py-2 text-sm">
          Show all
        </TextLink>
      )}
    </form>
  </search>
);

type ViewLinksProps = {
  label: string;
  views: readonly { label: string; href: string; current: boolean }[];
};

/** Views are links, so that they can be shared. */
export const ViewLinks = ({ label, views }: ViewLinksProps) => (
  <nav aria-label={label} className="flex flex-wrap gap-1">
    {views.map((view) => (
      <TextLink
        key={view.label}
        href={view.href}
        plain
        aria-current={view.current ? "page" : undefined}
        className="rounded-control px-2.5 py-1 text-sm text-ink-soft hover:bg-accent-wash hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:py-2.5"
      >
        {view.label}
      </TextLink>
    ))}
  </nav>
);

type ListFooterProps = {
  /** Address of the list with its filters. */
  address: string;
  /** Cursor of this page; undefined on the first. */
  after: string | undefined;
  /** Null on the last page. */
  next: string | null;
  /** Says how far the list goes back. */
  children: ReactNode;
};

export function ListFooter({ address, after, next, children }: ListFooterProps) {
  const more = `${address}${address.includes("?") ? "&" : "?"}after=${next}`;
  return (
    <>
      <span>{children}</span>
      <span className="flex gap-2">
        {after !== undefined && (
          <LinkButton href={address} size="sm">
            Newest
          </LinkButton>
        )}
        {next !== null && (
          <LinkButton href={more} size="sm">
            Older
          </LinkButton>
        )}
      </span>
    </>
  );
}

type PageOfPagesProps = {
  /** Address of a page, counted from 1. */
  address: (page: number) => string;
  page: number;
  pages: number;
};

export const PageOfPages = ({ address, page, pages }: PageOfPagesProps) =>
  pages > 1 && (
    <span className="flex items-center gap-2">
      <span className="tabular mr-1">
        Page {page} of {pages}
      </span>
      {page > 1 && (
        <LinkButton href={address(page - 1)} size="sm">
          Previous
        </LinkButton>
      )}
      {page < pages && (
        <LinkButton href={address(page + 1)} size="sm">
          Next
        </LinkButton>
      )}
    </span>
  );
