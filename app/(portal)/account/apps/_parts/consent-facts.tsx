import { figure } from "#lib/figure";
import { StoredAddress } from "#parts/stored-address";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";
import { KeyValueList } from "#ui/key-value-list";
import { Time } from "#ui/time";

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
          value: <span className="tabular">{figure(callsThisWeek)}</span>,
        },
      ]}
    />
  );
}
