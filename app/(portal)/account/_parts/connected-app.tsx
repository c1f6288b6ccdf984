import { BadgeCheck } from "lucide-react";
import { SecondThought } from "#parts/second-thought";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";
import { Avatar } from "#ui/avatar";
import { Badge } from "#ui/badge";
import { Card } from "#ui/card";
import { KeyValueList } from "#ui/key-value-list";
import { TextLink } from "#ui/text-link";
import { Time } from "#ui/time";

/** An application that may act in the player's name: what, since when, how much it did, and the way to end it. */
export function ConnectedApp({ consent }: { consent: ConsentSummary }) {
  const { consentId, application, scopes, since, lastUsed, callsThisWeek, until, paused } = consent;
  return (
    <Card
      title={
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={application.name} size="sm" shape="square" />
          <span className="min-w-0 wrap-anywhere">{application.name}</span>
        </span>
      }
      actions={
        <>
          {paused && <Badge tone="warn">Paused</Badge>}
          {application.verified && (
            <Badge tone="good" icon={<BadgeCheck aria-hidden="true" />}>
              Verified
            </Badge>
          )}
        </>
      }
      footer={
        <SecondThought
          label="Revoke access"
          action="/account/apps/revoke"
          fields={{ consent_id: consentId }}
          consequences={`${application.name} loses access on all devices at once. What it has read already it may still have: its privacy policy says how to have that deleted.`}
        />
      }
    >
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
            value: <TextLink href={application.clientUri}>{new URL(application.clientUri).host}</TextLink>,
          },
          { label: "Since", value: <Time at={since} /> },
          { label: "Until", value: until ? <Time at={until} /> : "You revoke it" },
          { label: "Last used", value: lastUsed ? <Time at={lastUsed} /> : "Not in the last 30 days" },
          {
            label: "Calls this week",
            value: <span className="tabular">{callsThisWeek.toLocaleString("en")}</span>,
          },
        ]}
      />
    </Card>
  );
}
