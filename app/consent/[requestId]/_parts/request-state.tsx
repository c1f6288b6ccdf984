import { signInPath } from "#lib/sign-in-path";
import { BareShell } from "#ui/bare-shell";
import { LinkButton } from "#ui/link-button";
import { StateMessage } from "#ui/state-message";

export type RequestState = "unknown" | "expired" | "decided" | "foreign";

const states = {
  unknown: {
    kicker: "Unknown request",
    title: "There is no such request",
    words:
      "The link may be cut short, or the application has changed since. Go back to the application and connect from there once more.",
  },
  expired: {
    kicker: "Expired",
    title: "This request waited too long",
    words:
      "An application's request waits ten minutes for an answer. Nothing was allowed. Go back to the application and connect from there once more.",
  },
  decided: {
    kicker: "Answered",
    title: "You have answered this request already",
    words:
      "An answer counts once. What you allowed stands under Connected apps, where you can revoke it. If the application did not get your answer, connect from there once more.",
  },
  foreign: {
    kicker: "Not here",
    title: "This request belongs to another browser or player",
    words:
      "It can only be answered where it was started, by the player who was asked first. If somebody sent you this link, do not go on. Otherwise go back to the application and connect from there once more.",
  },
} as const satisfies Record<RequestState, unknown>;

/** A request that cannot be answered any more, or not here: why, and how to go on. */
export function RequestStateMessage({ state, requestId }: { state: RequestState; requestId: string }) {
  const { kicker, title, words } = states[state];
  return (
    <BareShell>
      <StateMessage
        kicker={kicker}
        title={title}
        actions={
          <>
            <LinkButton href="/account/apps" variant="primary">
              Connected apps
            </LinkButton>
            {state === "foreign" && (
              <LinkButton href={signInPath({ request: requestId })} document>
                Sign in as another player
              </LinkButton>
            )}
            <LinkButton href="/">To the start</LinkButton>
          </>
        }
      >
        {words}
      </StateMessage>
    </BareShell>
  );
}
