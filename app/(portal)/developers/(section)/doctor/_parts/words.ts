import { startAgain, todoOfToken } from "#app/(portal)/developers/_parts/what-to-do.tsx";
import { authorizationErrors } from "#app/docs/oauth/_parts/error-words";
import type { CallbackError } from "#server/oauth/authorize/read-callback";
import type { ExaminedToken, TokenState } from "#server/oauth/clients/examine-secret";
import type { OtherEndpoint } from "#server/oauth/clients/read-pasted";
import type { SecretKind } from "#server/platform/crypto/secret-text";

/** What the doctor says of an address that is no authorization URL. */
export const endpointWords: Readonly<Record<OtherEndpoint, { readonly title: string; readonly advice: string }>> = {
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

/** What a code at the redirect URI asks for. */
export const codeAdvice =
  "Exchange the code at the token endpoint within a minute, once, with the same redirect_uri and, if you sent a challenge, its verifier. Compare state with the one you stored before that.";

/** What a developer does about an error at the redirect URI. Text between backticks is code. */
export function callbackAdvice(error: CallbackError): string {
  if (!isDocumented(error)) return rareErrors[error];
  const { cause, remedy } = authorizationErrors[error];
  return `${cause} ${remedy}`;
}

type Documented = keyof typeof authorizationErrors & CallbackError;
const isDocumented = (error: CallbackError): error is Documented => Object.hasOwn(authorizationErrors, error);

/** Those that the guide does not explain. */
const rareErrors: Readonly<Record<Exclude<CallbackError, Documented>, string>> = {
  unauthorized_client:
    "The application may not ask for access in this way. See the application's Failures for the exact reason.",
  server_error: "Something went wrong on our side. Send the player through again.",
  temporarily_unavailable: "The service was busy. Wait a minute, then send the player through again.",
  other: "This service sends no such error. Check where the response came from.",
};

/** What each kind of secret is called. */
export const secretNames: Readonly<Record<SecretKind, string>> = {
  access: "An access token",
  refresh: "A refresh token",
  code: "An authorization code",
  clientSecret: "A client secret",
};

/** What became of a token or code. */
export const stateWords: Readonly<Record<TokenState, string>> = {
  live: "It works",
  expired: "It has expired",
  used: "It was used",
  replaced: "It was replaced by a refresh, or revoked by your application",
  revoked: "The access was revoked",
  ended: "The access has ended",
  paused: "The player has paused the application",
  suspended: "The application is suspended",
  banned: "The player's account is banned",
};

/** What a developer does about a token in this state; undefined where it works. Text between backticks is code. */
export function todoOfState(kind: SecretKind, state: TokenState): string | undefined {
  switch (state) {
    case "live":
      return undefined;
    case "expired":
      return kind === "access" ? todoOfToken.expired : startAgain;
    case "used":
      return kind === "code"
        ? `A code works once: use the tokens that it was exchanged for. ${startAgain}`
        : "Use the refresh token of the newest response.";
    case "replaced":
      return todoOfToken.replaced;
    case "revoked":
    case "ended":
    case "banned":
      return todoOfToken.revoked;
    case "paused":
      return "Keep the tokens: they work again when the player resumes.";
    case "suspended":
      return "An admin suspended it. The reason is in your notices.";
  }
}

/** What a live token opens; a code and a refresh token open it once they are exchanged. */
export const scopesInWords = ({ scopes }: ExaminedToken): string =>
  scopes.length === 0 ? "It has no scope." : `Scopes: ${scopes.map((scope) => `\`${scope}\``).join(", ")}.`;
