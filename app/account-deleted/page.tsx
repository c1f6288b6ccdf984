import { gameName } from "#app/_lib/settings";
import { BareFrame } from "#app/_parts/page-frames.tsx";
import { StateMessage } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";

export const metadata = { title: "Account deleted" };

export default function AccountDeleted() {
  return (
    <BareFrame>
      <StateMessage
        kicker="Done"
        title="Your account is deleted"
        actions={
          <LinkButton href="/" variant="primary">
            Home page
          </LinkButton>
        }
      >
        You are signed out everywhere, and no application has access in your name. Your API key
        still exists in {gameName()}: delete it there if nothing else uses it.
      </StateMessage>
    </BareFrame>
  );
}
