import { formatCount, visibleText } from "#app/_lib/format";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { missingForPlayers } from "#server/oauth/clients/application-fields";
import { isPageAddress } from "#server/oauth/clients/contract";
import type { ApplicationView } from "#server/oauth/clients/own-applications";
import { mayDo } from "#server/oauth/clients/team/rights";
import { whyNotRedirectUri } from "#server/oauth/redirect-uri";

type InTestProps = {
  application: ApplicationView;
  /** Absent on the settings page. */
  settings?: string;
};

/** Missing requirements, or the button that opens the application. */
export function InTest({ application, settings }: InTestProps) {
  if (application.openedAt) return null;
  const missing = missingForPlayers(application.kind, application);
  const mayTry = mayDo(application.role, "settings") && (
    <p>
      Let others try it first:{" "}
      <TextLink href={`/developers/apps/${application.clientId}/team`}>add test players</TextLink>.
    </p>
  );
  if (missing.length === 0)
    return (
      <Alert tone="warn" title="In test: only its team and test players can approve it">
        {mayDo(application.role, "ownership") ? (
          <>
            <p>Everything is filled in. Open it when it is ready for others.</p>
            {mayTry}
            <div className="mt-3">
              <Confirmation
                label="Open to players"
                tone="plain"
                action={`/developers/apps/${application.clientId}/open`}
                consequences="From now on any player can approve it. It cannot be closed again, and what players are told stays required. The list of test players is deleted; what they approved stays."
              />
            </div>
          </>
        ) : (
          <>
            <p>Everything is filled in. Its owner can open it to players.</p>
            {mayTry}
          </>
        )}
      </Alert>
    );
  return (
    <Alert
      tone="warn"
      title="In test: only its team and test players can approve it"
      actions={
        settings && (
          <LinkButton href={settings} size="sm">
            Open the settings
          </LinkButton>
        )
      }
    >
      {mayTry}
      <details>
        <summary className="w-fit underline underline-offset-2">
          {formatCount(missing.length, "field")} missing before you can open it to players
        </summary>
        <ul className="mt-1 grid list-disc gap-x-6 pl-5 sm:grid-cols-2">
          {missing.map(({ field, label }) => (
            <li key={field}>{label}</li>
          ))}
        </ul>
      </details>
    </Alert>
  );
}

type RefusedAddressesProps = {
  application: {
    readonly redirectUris: readonly string[];
    readonly clientUri: string;
    readonly tosUri: string;
    readonly privacyUri: string;
  };
  /** Absent on the settings page. */
  settings?: string;
};

/** Stored addresses that today's rules refuse. */
export function RefusedAddresses({ application, settings }: RefusedAddressesProps) {
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
            <code className="text-sm wrap-anywhere">{visibleText(text)}</code>
            <p>{why}</p>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
