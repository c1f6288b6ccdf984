import type { AuthorizationErrorWord } from "#server/oauth/authorize/authorization-response";
import type { OAuthErrorWord } from "#server/oauth/oauth-error";

interface Advice {
  /** Backticks mark code. */
  readonly cause: string;
  readonly remedy: string;
}

/** Values of `error` at the redirect URI. */
export const authorizationErrors: Readonly<Record<AuthorizationErrorWord, Advice>> = {
  access_denied: {
    cause: "The player denied the request.",
    remedy: "Show your page without their data. Ask again only when they want to.",
  },
  invalid_request: {
    cause: "A parameter is missing, repeated, malformed or not supported.",
    remedy:
      "`error_description` says which. It is an error in the application: trying again does not help.",
  },
  unsupported_response_type: {
    cause: "Another `response_type` than `code`.",
    remedy: "Send `response_type=code`.",
  },
  invalid_scope: {
    cause:
      "No `scope` parameter, an unknown scope, or one that the application is not registered for.",
    remedy: "Compare the list with the application's settings. Scopes are never left out silently.",
  },
  login_required: {
    cause: "`prompt=none`, and nobody is signed in.",
    remedy: "Send the player through again without `prompt=none`.",
  },
  consent_required: {
    cause: "`prompt=none`, and what is asked is not covered by an earlier approval.",
    remedy: "Send the player through again without `prompt=none`.",
  },
};

/** Values of `error` of the token, revocation and introspection endpoints, with status. */
export const tokenErrors: Readonly<Record<OAuthErrorWord, Advice & { readonly status: string }>> = {
  invalid_request: {
    status: "400",
    cause:
      "No form body, a parameter missing or twice, or the client authenticated twice. 405 for another method than POST, 413 for a body that is too large.",
    remedy: "`error_description` says which. Parameters in the address are not read.",
  },
  invalid_client: {
    status: "401",
    cause:
      "An unknown application, a wrong, expired or deleted secret, a secret in the body, or a secret sent by a public application.",
    remedy:
      "Authenticate by HTTP Basic. Nothing was used up: the same code or refresh token still works.",
  },
  invalid_grant: {
    status: "400",
    cause:
      "The code or refresh token is unknown, used, expired or of another application, `redirect_uri` or `code_verifier` differ, or the player ended or paused the access.",
    remedy:
      "Forget the tokens and send the player through the flow again. Only where the description says that the player paused the application, keep the refresh token: it works again when they resume. Do not repeat the request.",
  },
  invalid_scope: {
    status: "400",
    cause: "`scope` names an unknown scope, or more than was granted.",
    remedy: "Leave `scope` out of token requests; ask for more at the authorization endpoint.",
  },
  unauthorized_client: {
    status: "400",
    cause: "The application is suspended, or a public application tried to refresh.",
    remedy:
      "A public application sends the player through the flow again. The reason of a suspension is in the developer's notices.",
  },
  unsupported_grant_type: {
    status: "400",
    cause: "Another `grant_type` than `authorization_code` or `refresh_token`.",
    remedy: "Send one of these two: there are no others.",
  },
  slow_down: {
    status: "429",
    cause: "Too many requests, or too many failures, within this minute.",
    remedy: "Wait as many seconds as `Retry-After` says, then send the same request again.",
  },
  server_error: {
    status: "500, 503",
    cause: "An error on our side.",
    remedy:
      "Wait for `Retry-After`, or a few seconds, and see under Retries what may be sent again.",
  },
};
