import type { ReactNode } from "react";
import { LinkButton } from "#app/_ui/text-link.tsx";

type Props = {
  /** With filters. */
  address: string;
  /** Cursor of this page; undefined on the first. */
  after: string | undefined;
  /** Null on the last page. */
  next: string | null;
  /** How far the list goes back. */
  children: ReactNode;
};

export function ListFooter({ address, after, next, children }: Props) {
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

type NumberedPagesProps = {
  /** Of the page with this number, from 1. */
  address: (page: number) => string;
  page: number;
  pages: number;
};

const NumberedPages = ({ address, page, pages }: NumberedPagesProps) => (
  <span className="flex gap-2">
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

/** Says the page as well; nothing if all rows fit on one. */
export const PageOfPages = ({ address, page, pages }: NumberedPagesProps) =>
  pages > 1 && (
    <span className="flex items-center gap-3">
      <span className="tabular">
        Page {page} of {pages}
      </span>
      <NumberedPages address={address} page={page} pages={pages} />
    </span>
  );
