import { BadgeCheck } from "lucide-react";
import { formatNumber } from "#app/_lib/format";
import { StoredAddress } from "#app/_parts/stored-address.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { toldWith } from "#server/event-types";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";
import { ConsentActs } from "./consent-acts";

type ConsentBadgesProps = { application: ConsentSummary["application"]; paused: boolean };

/** How an application stands, in a word or two each. */
export function ConsentBadges({ application, paused }: ConsentBadgesProps) {
  return (
    <>
      {application.suspended && <Badge tone="bad">Suspended</Badge>}
      {paused && <Badge tone="warn">Paused</Badge>}
      {application.verified && (
        <Badge tone="good" icon={<BadgeCheck aria-hidden="true" />}>
          Verified
        </Badge>
      )}
    </>
  );
}

/** What an application may do in the player's name, since when and until when, and how much it did. */
export function ConsentFacts({ consent }: { consent: ConsentSummary }) {
  const { application, scopes, since, lastUsed, callsThisWeek, until } = consent;
  const told = toldWith(scopes.map(({ name }) => name));
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
        ...(told === null ? [] : [{ label: "Events", value: told }]),
        {
          label: "Website",
          value: <StoredAddress href={application.clientUri} />,
        },
        { label: "Registered by", value: <bdi>{application.ownerName}</bdi> },
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

/** An application that may act in the player's name: what, since when, how much it did, and what to do about it. */
export function ConnectedApp({ consent }: { consent: ConsentSummary }) {
  const { application, paused } = consent;
  return (
    <Card
      title={
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={application.name} size="sm" shape="square" />
          <TextLink
            href={`/account/apps/${application.clientId}`}
            plain
            className="min-w-0 wrap-anywhere hover:underline"
          >
            <bdi>{application.name}</bdi>
          </TextLink>
        </span>
      }
      actions={<ConsentBadges application={application} paused={paused} />}
      footer={<ConsentActs consent={consent} />}
    >
      <ConsentFacts consent={consent} />
      <p className="mt-4 text-sm">
        <TextLink href={`/account/apps/${application.clientId}`}>
          What it did in your name<span className="sr-only">: {application.name}</span>
        </TextLink>
      </p>
    </Card>
  );
}
