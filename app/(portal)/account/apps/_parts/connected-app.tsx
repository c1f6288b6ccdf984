import { Avatar } from "#app/_ui/avatar.tsx";
import { Card } from "#app/_ui/card.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";
import { ConsentActs } from "./consent-acts";
import { ConsentBadges } from "./consent-badges";
import { ConsentFacts } from "./consent-facts";

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
