import type { CallbackError } from "#server/oauth/authorize/read-callback";

interface Words {
  readonly title: string;
  /** For the player: the event and the remedy. */
  readonly sentence: string;
}

const faulty = "The application's request was refused";
const developer =
  "Trying again does not help. Tell the developer, who finds the reason under Failures.";

/** Text from the address is never shown. */
export const callbackErrorWords: Readonly<Record<CallbackError, Words>> = {
  access_denied: {
    title: "You denied access",
    sentence: "Start from the application if you change your mind.",
  },
  invalid_request: {
    title: faulty,
    sentence: `Its authorization link is incomplete or wrong. ${developer}`,
  },
  unauthorized_client: {
    title: faulty,
    sentence: `It may not ask for access in this way. ${developer}`,
  },
  unsupported_response_type: {
    title: faulty,
    sentence: `It asked for a response type that is not supported. ${developer}`,
  },
  invalid_scope: {
    title: faulty,
    sentence: `It asked for a permission that it is not registered for. ${developer}`,
  },
  server_error: {
    title: "Something went wrong on our side",
    sentence: "Start again from the application.",
  },
  temporarily_unavailable: {
    title: "The service is busy",
    sentence: "Wait a minute, then start again from the application.",
  },
  login_required: {
    title: "You are not signed in",
    sentence:
      "The application asked not to show you a page. Sign in here, then start again from the application.",
  },
  consent_required: {
    title: "You have not approved this yet",
    sentence:
      "The application asked not to show you a page. Start again from the application, and approve.",
  },
  other: {
    title: faulty,
    sentence: "The response has an unknown error. Start again from the application.",
  },
};
