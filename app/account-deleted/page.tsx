import type { Metadata } from "next";
import { BareShell } from "#app/_ui/bare-shell.tsx";
import { LinkButton } from "#app/_ui/link-button.tsx";
import { StateMessage } from "#app/_ui/state-message.tsx";

export const metadata: Metadata = { title: "Account deleted" };

/** The end of an account. */
export default function AccountDeleted() {
  return (
    <BareShell>
      <StateMessage
        kicker="Done"
        title="Your account is deleted"
        actions={
          <LinkButton href="/" variant="primary">
            To the start
          </LinkButton>
        }
      >
        You are signed out everywhere, and no application has access in your name any more. The key in the game is
        yours: delete it there if nothing else uses it.
      </StateMessage>
    </BareShell>
  );
}
