import { visibleText } from "#app/_lib/format";
import { Alert } from "#app/_ui/alert.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { isPageAddress } from "#server/oauth/page-address";
import { whyNotRedirectUri } from "#server/oauth/redirect-uri";

type Props = {
  application: {
    readonly redirectUris: readonly string[];
    readonly clientUri: string;
    readonly tosUri: string;
    readonly privacyUri: string;
  };
  /** Where they are replaced; absent on that very page. */
  settings?: string;
};

/** Stored addresses that could not be registered today, why each is not used, and what to do. */
export function RefusedAddresses({ application, settings }: Props) {
  const pages = [
    { text: application.clientUri, what: "home page" },
    { text: application.tosUri, what: "terms of service" },
    { text: application.privacyUri, what: "privacy policy" },
  ].filter(({ text }) => text !== "" && !isPageAddress(text));
  const refused = [
    ...application.redirectUris.flatMap((text) => {
      const why = whyNotRedirectUri(text);
      return why ? [{ text, why: `Players are not redirected there. ${why}` }] : [];
    }),
    ...pages.map(({ text, what }) => ({
      text,
      why: `It is not shown as your ${what}: it must be a full address that starts with https://.`,
    })),
  ];
  if (refused.length === 0) return null;
  return (
    <Alert
      tone="bad"
      title={refused.length === 1 ? "An address is refused" : "Some addresses are refused"}
      actions={
        settings && (
          <LinkButton href={settings} size="sm">
            Replace it in the settings
          </LinkButton>
        )
      }
    >
      <ul className="grid gap-2">
        {refused.map(({ text, why }) => (
          <li key={`${text} ${why}`}>
            <code className="font-mono text-sm wrap-anywhere">{visibleText(text)}</code>
            <p>{why}</p>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
