import { escapeInvisible } from "#app/_lib/format";
import { pageSettings } from "#app/_lib/settings";
import { TextLink } from "#app/_ui/text-link.tsx";
import { hostOfPage } from "#server/oauth/clients/contract";

type Props = {
  /** The registered address, which today's rules may refuse. */
  href: string;
  /** Link text; default: the host. */
  children?: string;
};

/** An address that today's rules refuse is marked and not linked. */
export function StoredLink({ href, children }: Props) {
  const host = hostOfPage(href);
  if (host !== null) return <TextLink href={href}>{children ?? host}</TextLink>;
  if (href === "") return <span className="text-ink-faint">Not given yet</span>;
  return (
    <span>
      {children === undefined
        ? "Invalid address"
        : `${escapeInvisible(children)} (invalid address)`}
    </span>
  );
}

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
