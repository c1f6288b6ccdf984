import { LinkButton } from "#app/_ui/text-link.tsx";

type Props = {
  /** Of the page with this number, from 1. */
  address: (page: number) => string;
  page: number;
  pages: number;
};

const NumberedPages = ({ address, page, pages }: Props) => (
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
export const PageOfPages = ({ address, page, pages }: Props) =>
  pages > 1 && (
    <span className="flex items-center gap-3">
      <span className="tabular">
        Page {page} of {pages}
      </span>
      <NumberedPages address={address} page={page} pages={pages} />
    </span>
  );
