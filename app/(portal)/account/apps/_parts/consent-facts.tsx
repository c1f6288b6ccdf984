import { formatNumber } from "#app/_lib/format-count";
import { StoredAddress } from "#app/_parts/stored-address.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";

/** What an application may do in the player's name, since when and until when, and how much it did. */
export function ConsentFacts({ consent }: { consent: ConsentSummary }) {
  const { application, scopes, since, lastUsed, callsThisWeek, until } = consent;
  return (
    <KeyValueList
      items={[
        {
          label: "May",
          value:
            scopes.length === 0 ? (
              "Call what needs no permission"
            ) : (
              <ul className="grid gap-1">
                {scopes.map(({ name, title }) => (
                  <li key={name}>
                    {title} <code className="ml-1 font-mono text-xs text-ink-faint">{name}</code>
                  </li>
                ))}
              </ul>
            ),
        },
        {
          label: "Website",
          value: <StoredAddress href={application.clientUri} />,
        },
        { label: "Since", value: <Time at={since} /> },
        { label: "Until", value: until ? <Time at={until} /> : "You revoke it" },
        { label: "Last used", value: lastUsed ? <Time at={lastUsed} /> : "No call in the last 30 days" },
        {
          label: "Calls this week",
          value: <span className="tabular">{formatNumber(callsThisWeek)}</span>,
        },
      ]}
    />
  );
}
