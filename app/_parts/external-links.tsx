import { visibleText } from "#app/_lib/format";
import { pageSettings } from "#app/_lib/settings";
import { TextLink } from "#app/_ui/text-link.tsx";
import { hostOfPage } from "#server/oauth/clients/contract";

type Props = {
  /** As the developer registered it; a row may hold what could not be registered today. */
  href: string;
  /** What the link says; its host without it. */
  children?: string;
};

/** A link to a page that a developer named. An address that is not accepted any more is said to be invalid, and is no link. */
export function StoredAddress({ href, children }: Props) {
  const host = hostOfPage(href);
  if (host !== null) return <TextLink href={href}>{children ?? host}</TextLink>;
  if (href === "") return <span className="text-ink-faint">Not given yet</span>;
  return (
    <span>
      {children === undefined ? "Invalid address" : `${visibleText(children)} (invalid address)`}
    </span>
  );
}

/** A link to the operator's contact page, after a sentence that advises it. Nothing where the settings name none. */
export function ContactLink() {
  const { contactUrl } = pageSettings();
  return (
    contactUrl !== undefined && (
      <>
        {" "}
        <TextLink href={contactUrl}>Contact</TextLink>
      </>
    )
  );
}
