import { LinkButton } from "#app/_ui/text-link.tsx";

type Props = {
  action: string;
  /** What the list was searched for. */
  query: Readonly<Record<string, string | undefined>>;
  /** Counted from 1. */
  page: number;
  more: boolean;
  /** What the ways are called where the list is not one of times. */
  before?: string;
  after?: string;
};

/** The ways to the pages before and after; nothing where all fits on one. */
export function Pager({ action, query, page, more, before = "Newer", after = "Older" }: Props) {
  if (page === 1 && !more) return null;
  const at = (number: number) => {
    const entries = Object.entries({ ...query, page: String(number) });
    return `${action}?${new URLSearchParams(entries.filter((entry): entry is [string, string] => Boolean(entry[1])))}`;
  };
  return (
    <nav aria-label="Pages" className="flex items-center gap-3">
      {page > 1 && <LinkButton href={at(page - 1)}>{before}</LinkButton>}
      <span className="tabular text-sm text-ink-faint">Page {page}</span>
      {more && <LinkButton href={at(page + 1)}>{after}</LinkButton>}
    </nav>
  );
}
