import { formatNumber, formatShare } from "#app/_lib/format";
import type { Tone } from "#app/_ui/badge.tsx";
import { endpointSamples } from "#app/docs/_parts/endpoint-samples";
import { WithCode } from "#app/docs/_parts/with-code.tsx";
import type { KnownDetails } from "#server/failure-details";
import { failureKinds, InvalidAuthenticationInformation } from "#server/failures";
import {
  authorizationErrors,
  notTestPlayerRefusal,
} from "#server/oauth/authorize/authorization-messages";
import { unmatchedRoute } from "#server/oauth/clients/calls/call-filter";
import type { FailedOAuthAttempt, LoggedCall } from "#server/oauth/clients/calls/show-calls";
import {
  exchangeOnceAdvice,
  keepNewestAdvice,
  oauthRefusals,
  startAgainAdvice,
  tokenErrors,
} from "#server/oauth/oauth-error";

type FailureNote = NonNullable<LoggedCall["failure"]>;

export const toneOfStatus = (status: number): Tone =>
  status >= 500 ? "bad" : status >= 400 ? "warn" : "good";

const kindOf = (code: number | null) => failureKinds.find((kind) => kind.code === code);
export const nameOfFailure = (code: number): string => kindOf(code)?.name ?? "Unknown";
export const sentenceOfFailure = (code: number | null): string | undefined => kindOf(code)?.message;

export const formatPlayer = ({ id, name }: NonNullable<LoggedCall["player"]>): string =>
  `${name} [${id}]`;

const revokers: Readonly<Record<string, string>> = {
  player: "by the player",
  client: "by your application",
  "code-reuse": "because its code was used twice",
  "refresh-reuse": "because a refresh token was used twice",
  developer: "by you",
  admin: "by an admin",
};

type FailedCall = Pick<LoggedCall, "failureCode" | "failure">;

/** Undefined if the token was not the reason of the refusal. */
export const endedTokenOf = ({ failureCode, failure }: FailedCall): FailureNote["token"] =>
  failureCode === InvalidAuthenticationInformation.code ? failure?.token : undefined;

export function tokenEndInWords(call: FailedCall): string | undefined {
  const token = endedTokenOf(call);
  if (!token) return undefined;
  if (token.ended === "expired") return "The token had expired.";
  if (token.ended === "replaced")
    return "The token had been replaced by a refresh, or revoked by your application.";
  const by = revokers[token.by ?? ""];
  return `The access had been revoked${by ? ` ${by}` : ""}.`;
}

const detailsOf = ({ failure }: FailedCall) => (failure?.details ?? {}) as KnownDetails;

/** The reason beyond the failure code; undefined if the code suffices. */
export function failureReasonOf(call: FailedCall): string | undefined {
  const { missing } = detailsOf(call);
  if (missing) return `Missing: ${missing.join(", ")}.`;
  return tokenEndInWords(call) ?? call.failure?.message;
}

export const fieldErrorsOf = (call: FailedCall) => detailsOf(call).errors ?? [];

const oneDecimal = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** "2.5%"; zero of zero is "0%". */
export const formatShareOf = (part: number, whole: number): string =>
  formatShare(whole === 0 ? 0 : part / whole);

/** "+12% (50 before)", or words where a share says nothing. */
export function formatChange(now: number, before: number): string {
  if (before === 0) return "none before";
  const change = (now - before) / before;
  if (Math.abs(change) < 0.005) return "as before";
  const share = formatShareOf(Math.abs(now - before), before);
  return `${change > 0 ? "+" : "−"}${share} (${formatNumber(before)} before)`;
}

/** "0.4 ms", "12 ms", "1.2 s"; null is "–". */
export function formatMicros(micros: number | null): string {
  if (micros === null) return "–";
  const milliseconds = micros / 1_000;
  if (milliseconds >= 1_000) return `${oneDecimal.format(milliseconds / 1_000)} s`;
  return milliseconds >= 10
    ? `${formatNumber(Math.round(milliseconds))} ms`
    : `${oneDecimal.format(milliseconds)} ms`;
}

/**
 * A curl command for the call. Query and body values are not recorded, so they appear as `<name>`;
 * the token is a variable.
 */
export function curlToRepeat(
  { method, route, path: sent, failure }: Pick<LoggedCall, "method" | "route" | "path" | "failure">,
  baseUrl: string,
): string {
  const path =
    sent ?? (route === unmatchedRoute ? "/api/v1/" : route.replace(/<\w+:(\w+)>/g, "<$1>"));
  const query = (failure?.query ?? []).map((name) => `${name}=<${name}>`).join("&");
  const fields = (failure?.body ?? []).map((name) => [name, `<${name}>`]);
  const [curl] = endpointSamples({
    method,
    // A recorded path may contain shell syntax.
    url: `${baseUrl}${path}${query && `?${query}`}`.replace(/["$`\\]/g, encodeURIComponent),
    body: fields.length > 0 ? JSON.stringify(Object.fromEntries(fields)) : undefined,
    answers: true,
  });
  return curl.code;
}

export const WhatToDo = ({ text }: { text: string | undefined }) =>
  text !== undefined && (
    <p>
      <strong className="font-medium text-ink">What to do:</strong> <WithCode text={text} />
    </p>
  );

const remediesOfActs: Partial<Record<FailedOAuthAttempt["act"], string>> = {
  "consent.denied": authorizationErrors.access_denied.remedy,
  "code.reused": exchangeOnceAdvice,
  "refresh_token.reused": `${keepNewestAdvice} ${startAgainAdvice}`,
};

export function remedyOfAttempt({
  act,
  error,
  description,
}: Pick<FailedOAuthAttempt, "act" | "error" | "description">): string | undefined {
  const particular = [...Object.values(oauthRefusals), notTestPlayerRefusal].find(
    (refusal) => refusal.description === description,
  );
  const remedy = remediesOfActs[act] ?? particular?.remedy;
  if (remedy !== undefined) return remedy;
  if (error === "error_page")
    return "The player saw an error page, and your application got no answer. Paste the authorization URL into the doctor: each parameter is checked, and the corrected URL shown.";
  // The guide's remedy only points to the exact reason, which the page already shows.
  if (error === "invalid_request") return "Fix it in your code; a retry fails the same way.";
  const errors = act === "authorization.refused" ? authorizationErrors : tokenErrors;
  return Object.entries(errors).find(([word]) => word === error)?.[1].remedy;
}

export const tokenRemedies: Readonly<Record<NonNullable<FailureNote["token"]>["ended"], string>> = {
  expired: "Refresh it once. If that is refused too, send the player through the flow again.",
  replaced: `Call with the token of the newest response. ${keepNewestAdvice}`,
  revoked:
    "Forget the player's tokens: a refresh is refused too. Ask again only when the player wants to.",
};

export const remedyOfCode = (failureCode: number | null): string | undefined =>
  kindOf(failureCode)?.todo;

export function remedyOfCall(call: FailedCall): string | undefined {
  const token = endedTokenOf(call);
  return token ? tokenRemedies[token.ended] : remedyOfCode(call.failureCode);
}
