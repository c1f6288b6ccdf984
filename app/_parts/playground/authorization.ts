import { hostedCallbackUri } from "#server/oauth/redirect-uri";
import type { AnsweredFlow, PendingFlow, PlaygroundToken } from "./flow";

const verifierBytes = 32;
const stateBytes = 16;

export async function newFlow(asked: {
  baseUrl: string;
  clientId: string;
  scope: string;
  page: string;
}): Promise<PendingFlow> {
  const { baseUrl, clientId, scope, page } = asked;
  const verifier = randomText(verifierBytes);
  const state = randomText(stateBytes);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const redirectUri = hostedCallbackUri(baseUrl, clientId);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  });
  return {
    clientId,
    redirectUri,
    scope,
    state,
    verifier,
    page,
    authorizeUrl: `${baseUrl}/oauth/authorize?${query}`,
  };
}

const randomText = (bytes: number) => base64url(crypto.getRandomValues(new Uint8Array(bytes)));

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const shownLetters = 16;

export const shortenToken = (token: string): string => `${token.slice(0, shownLetters)}…`;

/**
 * Exchanges as a public application, without a secret.
 * @throws Error with a message for the page
 */
export async function exchangeCode(
  { pending, answer }: AnsweredFlow,
  issuer: string,
): Promise<PlaygroundToken> {
  // RFC 9207 section 2.4, RFC 6749 section 10.12: a foreign or mismatched answer is dropped unread.
  if (answer.state !== pending.state || answer.iss !== issuer)
    throw new Error("The response does not match the request (state differs).");
  if (answer.error)
    throw new Error(`${answer.error}: ${answer.errorDescription ?? "no description"}`);
  if (!answer.code) throw new Error("The response has no code.");
  const response = await fetch("/oauth/token", {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: answer.code,
      redirect_uri: pending.redirectUri,
      client_id: pending.clientId,
      code_verifier: pending.verifier,
    }),
  });
  const reply: unknown = await response.json();
  if (!response.ok || !isTokenReply(reply)) throw new Error(wordsOf(reply));
  return {
    accessToken: reply.access_token,
    scope: reply.scope,
    expiresAt: Math.floor(Date.now() / 1_000) + reply.expires_in,
    clientId: pending.clientId,
    shown: JSON.stringify({ ...reply, access_token: shortenToken(reply.access_token) }, null, 2),
  };
}

/** RFC 7009. */
export async function revoke({ accessToken, clientId }: PlaygroundToken): Promise<void> {
  await fetch("/oauth/revoke", {
    method: "POST",
    body: new URLSearchParams({ token: accessToken, client_id: clientId }),
  });
}

const isTokenReply = (
  reply: unknown,
): reply is { access_token: string; scope: string; expires_in: number } =>
  typeof reply === "object" &&
  reply !== null &&
  "access_token" in reply &&
  "expires_in" in reply &&
  "scope" in reply;

function wordsOf(reply: unknown): string {
  if (typeof reply !== "object" || reply === null || !("error" in reply))
    return "The token request was refused.";
  const description = "error_description" in reply ? `: ${String(reply.error_description)}` : "";
  return `${String(reply.error)}${description}`;
}
