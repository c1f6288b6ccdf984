import { startAgain, todoOfToken } from "#app/(portal)/developers/_parts/what-to-do.tsx";
import type { ExaminedToken, TokenState } from "#server/oauth/clients/examine-secret";
import type { SecretKind } from "#server/platform/crypto/secret-text";

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
