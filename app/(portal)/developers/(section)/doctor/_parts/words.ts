import type { CallbackError } from "#server/oauth/authorize/read-callback";
import type { OtherEndpoint } from "#server/oauth/clients/read-pasted";

/** What the doctor says of an address that is no authorization URL. */
export const endpointWords: Readonly<Record<OtherEndpoint, { readonly title: string; readonly advice: string }>> = {
  token: {
    title: "This is the token endpoint",
    advice:
      "Your application calls it by POST with a form in the body, never by a link: no player is sent there. Send players to the authorization endpoint.",
  },
  introspection: {
    title: "This is the introspection endpoint",
    advice: "Your application calls it by POST with a token in the body and its own credentials.",
  },
  revocation: {
    title: "This is the revocation endpoint",
    advice: "Your application calls it by POST with a token in the body.",
  },
  api: {
    title: "This is an address of the API",
    advice:
      "It is called with an access token in the Authorization header. The reference says which scopes each endpoint needs.",
  },
};

/** What a code at the redirect URI asks for. */
export const codeAdvice =
  "Exchange the code at the token endpoint within a minute, once, with the same redirect_uri and, if you sent a challenge, its verifier. Compare state with the one you stored before that.";

const faulty = "The exact reason stands among the application's failures.";

/** What a developer does about an error at the redirect URI. */
export const callbackAdvice: Readonly<Record<CallbackError, string>> = {
  access_denied:
    "The player denied the request. Show your page without their data, and ask again only when they want to.",
  invalid_request: `A parameter is missing, repeated or malformed. ${faulty}`,
  unauthorized_client: `The application may not ask for access in this way. ${faulty}`,
  unsupported_response_type: "Send response_type=code: there is no other.",
  invalid_scope: `A scope is unknown, or the application is not registered for it. ${faulty}`,
  server_error: "Something went wrong on our side. Send the player through again.",
  temporarily_unavailable: "The service was busy. Wait a minute, then send the player through again.",
  login_required: "With prompt=none nobody was signed in. Send the player through again without it.",
  consent_required:
    "With prompt=none, what you ask for is not covered by an earlier approval. Send the player through again without it.",
  other: "This service sends no such error. Check where the response came from.",
};
