import {
  type AuthorizationErrorWord,
  authorizationErrors,
} from "#server/oauth/authorize/authorization-messages";
import type { CallbackError } from "#server/oauth/authorize/read-callback";
import type { OtherEndpoint } from "#server/oauth/clients/read-pasted";

/** For other endpoints pasted instead of the authorization URL. */
export const endpointWords: Readonly<
  Record<OtherEndpoint, { readonly title: string; readonly advice: string }>
> = {
  token: {
    title: "This is the token endpoint",
    advice:
      "Your application calls it by POST with a form in the body. Each refused call is recorded with its exact reason. Players are sent to the authorization endpoint, not here.",
  },
  introspection: {
    title: "This is the introspection endpoint",
    advice: "Your application calls it by POST with a token in the body and its own credentials.",
  },
  revocation: {
    title: "This is the revocation endpoint",
    advice: "Your application calls it by POST with a token in the body.",
  },
};

export const codeAdvice =
  "Exchange the code at the token endpoint within a minute, once, with the same redirect_uri and, if you sent a challenge, its verifier. Compare state with the one you stored before that.";

/** Backticks mark code. */
export function callbackAdvice(error: CallbackError): string {
  if (!isDocumented(error)) return rareErrors[error];
  const { cause, remedy } = authorizationErrors[error];
  return `${cause} ${remedy}`;
}

const isDocumented = (error: CallbackError): error is AuthorizationErrorWord =>
  Object.hasOwn(authorizationErrors, error);

/** Errors that the guide does not cover. */
const rareErrors: Readonly<Record<Exclude<CallbackError, AuthorizationErrorWord>, string>> = {
  unauthorized_client:
    "The application may not ask for access in this way. See the application's Failures for the exact reason.",
  server_error: "Something went wrong on our side. Send the player through again.",
  temporarily_unavailable:
    "The service was busy. Wait a minute, then send the player through again.",
  other: "This service sends no such error. Check where the response came from.",
};
