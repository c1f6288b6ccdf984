import { BadgeCheck, Globe } from "lucide-react";
import { formatCappedCount } from "#app/_lib/format";
import { StoredAddress } from "#app/_parts/stored-address.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { ConsentView } from "#server/oauth/authorize/show-request";
import type { CappedCount } from "#server/platform/capped-count";

/** Who asks: all that lets a player judge an application they may never have heard of. */
export function ApplicationFacts({ application }: { application: ConsentView["application"] }) {
  const { name, kind, ownerName, verified, createdAt, clientUri, users } = application;
  return (
    <div className="flex items-start gap-3 sm:gap-4">
      <Avatar name={name} shape="square" size="lg" />
      <div className="min-w-0">
        <h1 className="text-lg font-semibold wrap-anywhere sm:text-2xl">
          <bdi>{name}</bdi> asks for access
        </h1>
        <div className="mt-1.5 flex flex-wrap items-center gap-2">
          {verified ? (
            <Badge tone="good" icon={<BadgeCheck aria-hidden="true" />}>
              Verified
            </Badge>
          ) : (
            <Badge tone="warn">Not verified</Badge>
          )}
          <Badge>{kind === "public" ? "Runs on a device" : "Runs on a server"}</Badge>
          {clientUri !== "" && (
            <span className="inline-flex items-center gap-1.5 text-sm">
              <Globe className="size-4 text-ink-faint" aria-hidden="true" />
              <StoredAddress href={clientUri} />
            </span>
          )}
        </div>
        <p className="mt-2 text-sm text-ink-soft">
          Registered by {ownerName} <Time at={createdAt} />. {usersInWords(users)}
        </p>
      </div>
    </div>
  );
}

function usersInWords(users: CappedCount): string {
  if (users.count === 0) return "Not used by any player yet.";
  if (users.count === 1 && !users.more) return "One player uses it.";
  return `${formatCappedCount(users, "player")} use it.`;
}

/** The five statements that every application makes, and the two that it should, in its owner's own words. */
export function PrivacyCard({ application }: { application: ConsentView["application"] }) {
  const { privacy, privacyUri, tosUri, name } = application;
  const statements = [
    { label: "Data it collects", value: privacy.data },
    { label: "What for", value: privacy.use },
    { label: "When it deletes it", value: privacy.retention },
    { label: "How to have it deleted", value: privacy.deletion },
    { label: "Who it shares it with", value: privacy.sharing },
    ...(privacy.protection ? [{ label: "How it is protected", value: privacy.protection }] : []),
    ...(privacy.contact ? [{ label: "Contact", value: privacy.contact }] : []),
  ];
  return (
    <Card
      title="What it says about your data"
      description={`Provided by the developer of ${name}, not reviewed by Adjutant.`}
      footer={
        <span className="flex flex-wrap gap-x-4 gap-y-1">
          <StoredAddress href={privacyUri}>Privacy policy</StoredAddress>
          <StoredAddress href={tosUri}>Terms of service</StoredAddress>
        </span>
      }
    >
      <details>
        <summary className="w-fit text-accent-text underline underline-offset-2">
          What it collects, what for, and how long it keeps it
        </summary>
        <div className="mt-3">
          <KeyValueList
            items={statements.map(({ label, value }) => ({
              label,
              value: <span className="whitespace-pre-line">{value}</span>,
            }))}
          />
        </div>
      </details>
    </Card>
  );
}
