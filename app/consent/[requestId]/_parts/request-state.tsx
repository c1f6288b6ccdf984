import { signInPath } from "#app/_lib/sign-in-path";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { BareFrame } from "#app/_parts/page-frames.tsx";
import { StateMessage } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type { Restart } from "#server/oauth/authorize/start-authorization";

export const requestStates = ["unknown", "expired", "decided", "foreign", "in-test"] as const;
export type RequestState = (typeof requestStates)[number];

type StateWords = {
  kicker: string;
  title: string;
  words: string;
  /** Instead of `words` if the request can be restarted. */
  ofRestart?: string;
};

const states: Readonly<Record<RequestState, StateWords>> = {
  unknown: {
    kicker: "Unknown request",
    title: "There is no such request",
    words:
      "The link may be incomplete, or the application has changed. Go back to the application and connect again.",
  },
  expired: {
    kicker: "Expired",
    title: "This request has expired",
    words:
      "A request is open for ten minutes. Nothing was allowed. Go back to the application and connect again.",
    ofRestart: "A request is open for ten minutes. Nothing was allowed. You can be asked again.",
  },
  decided: {
    kicker: "Answered",
    title: "You have already answered this request",
    words:
      "If you approved, you find the application under Connected apps, where you can revoke it. If the application did not get your answer, connect again from there.",
  },
  foreign: {
    kicker: "Not here",
    title: "This request belongs to another browser or player",
    words:
      "It can only be answered in the browser where it was started, by the player who was asked first. If somebody sent you this link, do not continue. Otherwise go back to the application and connect again.",
    ofRestart:
      "It was started while another player was signed in, and only that player can answer it. If you started it, you can be asked again as the player you are now. If somebody sent you this link, do not continue.",
  },
  "in-test": {
    kicker: "In test",
    title: "This application is not open to players yet",
    words:
      "Until it opens, only its team and players that they chose can approve it. Nothing was shared.",
  },
};

type Props = {
  state: RequestState;
  requestId: string;
  /** Null if the request cannot be restarted. */
  restart: Restart | null;
};

/** Why the request cannot be answered here, and the next step. */
export function RequestStateMessage({ state, requestId, restart }: Props) {
  const { kicker, title, words, ofRestart } = states[state];
  const isInTest = state === "in-test";
  return (
    <BareFrame>
      <StateMessage
        kicker={kicker}
        title={
          isInTest && restart ? (
            <>
              <bdi>{restart.applicationName}</bdi> is not open to players yet
            </>
          ) : (
            title
          )
        }
        actions={
          <>
            {isInTest ? (
              <ActButton
                action={`/consent/${requestId}/decision`}
                fields={{ decision: "deny" }}
                variant="primary"
                size="md"
              >
                Go back to the application
              </ActButton>
            ) : (
              <>
                {restart && (
                  <LinkButton href={restart.path} variant="primary">
                    Ask me again
                  </LinkButton>
                )}
                <LinkButton href="/account/apps" variant={restart ? "secondary" : "primary"}>
                  Connected apps
                </LinkButton>
              </>
            )}
            {(isInTest || state === "foreign") && (
              <LinkButton href={signInPath({ request: requestId })}>
                Sign in as another player
              </LinkButton>
            )}
            <LinkButton href="/">Home page</LinkButton>
          </>
        }
      >
        {(restart && ofRestart) ?? words}
      </StateMessage>
    </BareFrame>
  );
}
