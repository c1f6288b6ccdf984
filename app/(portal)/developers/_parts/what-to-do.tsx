import { endOfToken } from "#app/(portal)/developers/_parts/describe-calls";
import { WithCode } from "#app/docs/_parts/with-code.tsx";
import { failureKinds } from "#server/failures";
import { authorizationErrors, notTestPlayer } from "#server/oauth/authorize/authorization-messages";
import type { FailedAttempt, LoggedCall } from "#server/oauth/clients/calls/show-calls";
import { tokenErrors } from "#server/oauth/oauth-error";

export const WhatToDo = ({ text }: { text: string | undefined }) =>
  text !== undefined && (
    <p>
      <strong className="font-medium text-ink">What to do:</strong> <WithCode text={text} />
    </p>
  );

export const startAgain = "Send the player through the flow again.";
const useOnce = `Exchange each code once, in one place: a second process, a reloaded page or a repeated job must not send it again. ${startAgain}`;
const sameVerifier = `Keep the verifier until the exchange, one for each request. The challenge is its SHA-256 hash in base64url, without padding. ${startAgain}`;
const keepNewest =
  "Store the new refresh token before you use anything of the response, and let one process at a time refresh.";

/** By reason, where the error code is ambiguous. */
const remediesOfReasons: Readonly<Record<string, string>> = {
  "The application is suspended.": "An admin suspended it. The reason is in your notices.",
  [notTestPlayer.description]:
    "Add the player to the test players on its page Team, or open it to players.",
  "The client_id is unknown.": "Send the `client_id` that the application's page shows.",
  "The secret is none of the application's live ones. It may be mistyped, deleted or expired.":
    "Compare it with the secrets on the application's page, or create a new one there. Nothing was used up: the same code or refresh token still works.",
  "The redirect_uri is not the one of the authorization request.": `Send the same \`redirect_uri\` to both endpoints, character by character. ${startAgain}`,
  "The code_verifier does not fit the code_challenge.": sameVerifier,
  "The code_verifier is missing.": sameVerifier,
  "The code is unknown, or was issued to another application.": `Send the whole code from the redirect, decoded once, with the \`client_id\` that asked for it. ${startAgain}`,
  "The code has expired.": `Exchange the code as soon as it arrives, within a minute. ${startAgain}`,
  "The code was already used.": useOnce,
  "The refresh token is unknown.": `Send the whole token of the newest response, with the \`client_id\` that it was issued to. ${startAgain}`,
  "The refresh token was already used.": `${keepNewest} ${startAgain}`,
  "The authorization has ended.": `The player or an admin ended it. Forget the tokens. ${startAgain}`,
  "The player has paused the application.":
    "Keep the refresh token: it works again when the player resumes.",
  "The body must be sent as application/x-www-form-urlencoded.":
    "Send a form, not JSON: `Content-Type: application/x-www-form-urlencoded`.",
};

const remediesOfActs: Partial<Record<FailedAttempt["act"], string>> = {
  "consent.denied": authorizationErrors.access_denied.remedy,
  "code.reused": useOnce,
  "refresh_token.reused": `${keepNewest} ${startAgain}`,
};

export function todoOfAttempt({
  act,
  error,
  description,
}: Pick<FailedAttempt, "act" | "error" | "description">): string | undefined {
  const particular = remediesOfActs[act] ?? adviceIn(remediesOfReasons, description);
  if (particular !== undefined) return particular;
  if (error === "error_page")
    return "The player saw an error page, and your application got no answer. Paste the authorization URL into the doctor: each parameter is checked, and the corrected URL shown.";
  // The guide points to the reason, which is right above.
  if (error === "invalid_request") return "Fix it in your code; a retry fails the same way.";
  return adviceIn<{ readonly remedy: string }>(
    act === "authorization.refused" ? authorizationErrors : tokenErrors,
    error,
  )?.remedy;
}

function adviceIn<Advice>(
  advice: Readonly<Record<string, Advice>>,
  word: string | null,
): Advice | undefined {
  return word !== null && Object.hasOwn(advice, word) ? advice[word] : undefined;
}

export const todoOfToken: Readonly<
  Record<NonNullable<NonNullable<LoggedCall["failure"]>["token"]>["ended"], string>
> = {
  expired: "Refresh it once. If that is refused too, send the player through the flow again.",
  replaced: `Call with the token of the newest response. ${keepNewest}`,
  revoked:
    "Forget the player's tokens: a refresh is refused too. Ask again only when the player wants to.",
};

export const todoOfCode = (failureCode: number | null): string | undefined =>
  failureKinds.find(({ code }) => code === failureCode)?.todo;

export function todoOfCall(call: Pick<LoggedCall, "failureCode" | "failure">): string | undefined {
  const token = endOfToken(call);
  return token ? todoOfToken[token.ended] : todoOfCode(call.failureCode);
}
