import type { ReactNode } from "react";
import { LinkButton } from "#app/_ui/text-link.tsx";

type Props = {
  /** The list's page, with what it is filtered by. */
  address: string;
  /** Where this page of the list begins; undefined on the first. */
  after: string | undefined;
  /** Where the next page begins; null on the last. */
  next: string | null;
  /** How far the list reaches back, in a sentence. */
  children: ReactNode;
};

/** The way to older entries of a list, and back to the newest. */
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
