import { StoredAddress } from "#app/_parts/stored-address.tsx";
import { Card } from "#app/_ui/card.tsx";
import { LinkButton } from "#app/_ui/link-button.tsx";
import type { Ledger } from "#server/oauth/consents/show-ledger";

/** An application that may do nothing any more: why, and how to go on. */
export function EndedAccess({ ledger: { application, deleted } }: { ledger: Ledger }) {
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
          ? "Its developer deleted it, so its tokens are dead."
          : "Your approval has ended, so its tokens are dead. If you want to use it again, connect from the application."}{" "}
        What it has read it may still have: its{" "}
        <StoredAddress href={application.privacyUri}>privacy policy</StoredAddress> says how to have that deleted.
      </p>
    </Card>
  );
}
