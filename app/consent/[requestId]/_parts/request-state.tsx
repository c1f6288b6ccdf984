import { signInPath } from "#app/_lib/sign-in-path";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { BareFrame } from "#app/_parts/page-frames.tsx";
import { StateMessage } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type { RestartLink } from "#server/oauth/authorize/start-authorization";

type StateWords = {
  kicker: string;
  title: string;
  words: string;
  /** Replaces `words` if the request can be restarted. */
  ofRestart?: string;
};

/** Keyed by the refusal's reason. */
const states = {
  REQUEST_UNKNOWN: {
    kicker: "Unknown request",
    title: "There is no such request",
    words:
      "The link may be incomplete, or the application has changed. Go back to the application and connect again.",
  },
  REQUEST_EXPIRED: {
    kicker: "Expired",
    title: "This request has expired",
    words:
      "A request is open for ten minutes. Nothing was allowed. Go back to the application and connect again.",
    ofRestart: "A request is open for ten minutes. Nothing was allowed. You can be asked again.",
  },
  REQUEST_DECIDED: {
    kicker: "Answered",
    title: "You have already answered this request",
    words:
      "If you approved, you find the application under Connected apps, where you can revoke it. If the application did not get your answer, connect again from there.",
  },
  REQUEST_FOREIGN: {
    kicker: "Not here",
    title: "This request belongs to another browser or player",
    words:
      "It can only be answered in the browser where it was started, by the player who was asked first. If somebody sent you this link, do not continue. Otherwise go back to the application and connect again.",
    ofRestart:
      "It was started while another player was signed in, and only that player can answer it. If you started it, you can be asked again as the player you are now. If somebody sent you this link, do not continue.",
  },
  APPLICATION_IN_TEST: {
    kicker: "In test",
    title: "This application is not open to players yet",
    words:
      "Until it opens, only its team and players that they chose can approve it. Nothing was shared.",
  },
} satisfies Readonly<Record<string, StateWords>>;

export type RequestState = keyof typeof states;

export const isRequestState = (reason: string): reason is RequestState =>
  Object.hasOwn(states, reason);

type Props = {
  state: RequestState;
  requestId: string;
  restart: RestartLink | null;
};

export function RequestStateMessage({ state, requestId, restart }: Props) {
  const { kicker, title, words, ofRestart }: StateWords = states[state];
  const isInTest = state === "APPLICATION_IN_TEST";
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
            {(isInTest || state === "REQUEST_FOREIGN") && (
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
