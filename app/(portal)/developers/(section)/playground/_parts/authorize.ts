import type { PendingFlow } from "#app/_lib/playground-flow";
import { hostedCallback } from "#server/oauth/redirect-uri";

const verifierBytes = 32;
const stateBytes = 16;

/** A new authorization request with PKCE, for the hosted callback of a public application. */
export async function newFlow(asked: { baseUrl: string; clientId: string; scope: string }): Promise<PendingFlow> {
  const { baseUrl, clientId, scope } = asked;
  const verifier = randomText(verifierBytes);
  const state = randomText(stateBytes);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const redirectUri = hostedCallback(baseUrl, clientId);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  });
  return { clientId, redirectUri, scope, state, verifier, authorizeUrl: `${baseUrl}/oauth/authorize?${query}` };
}

const randomText = (bytes: number) => base64url(crypto.getRandomValues(new Uint8Array(bytes)));

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
