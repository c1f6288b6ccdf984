import { StoredAddress } from "#app/_parts/stored-address.tsx";
import { Card } from "#app/_ui/card.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type { ApplicationActivity } from "#server/oauth/consents/list-consents";

/** An application that may do nothing any more: why, and how to go on. */
export function EndedAccess({ activity: { application, deleted } }: { activity: ApplicationActivity }) {
  return (
    <Card
      title="It has no access"
      footer={
        <LinkButton href="/account/apps" size="sm">
          All connected apps
        </LinkButton>
      }
    >
      <p className="text-ink-soft">
        {deleted
          ? "Its developer deleted it. Its tokens no longer work."
          : "Your approval has ended. Its tokens no longer work. To use it again, connect from the application."}{" "}
        It may still have data it read earlier: its{" "}
        <StoredAddress href={application.privacyUri}>privacy policy</StoredAddress> says how to have it deleted.
      </p>
    </Card>
  );
}
