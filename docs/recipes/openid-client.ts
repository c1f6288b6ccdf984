import * as client from "openid-client";

interface Registration {
  readonly baseUrl: string;
  readonly clientId: string;
  /** Left out by a public application. */
  readonly clientSecret?: string;
  readonly redirectUri: string;
}

/** Keep it in the player's session until they come back. */
interface Waiting {
  readonly state: string;
  readonly verifier: string;
}

export async function openidClient({ baseUrl, clientId, clientSecret, redirectUri }: Registration) {
  // Given the secret alone, the library would send it in the body: name ClientSecretBasic.
  const proof = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
  // Plain http is served on your own machine alone; elsewhere `execute` can go.
  const execute = baseUrl.startsWith("http:") ? [client.allowInsecureRequests] : [];
  const config = await client.discovery(new URL(baseUrl), clientId, undefined, proof, {
    algorithm: "oauth2",
    execute,
  });

  return {
    /** 1. Send the player to `url`. */
    async ask(scope: string): Promise<{ url: string; waiting: Waiting }> {
      const waiting = { state: client.randomState(), verifier: client.randomPKCECodeVerifier() };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state: waiting.state,
        code_challenge: await client.calculatePKCECodeChallenge(waiting.verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, waiting };
    },

    /** 2. They come back to the redirect URI. `address` is all of it; state and issuer are checked. Null: they denied. */
    async comeBack(address: string, { state, verifier }: Waiting) {
      const checks = { expectedState: state, pkceCodeVerifier: verifier };
      try {
        return await client.authorizationCodeGrant(config, new URL(address), checks);
      } catch (thrown) {
        if (thrown instanceof client.AuthorizationResponseError && thrown.error === "access_denied")
          return null;
        throw thrown;
      }
    },

    /** 3. Call. */
    async call(accessToken: string, path: string): Promise<unknown> {
      const answer = await client.fetchProtectedResource(
        config,
        accessToken,
        new URL(path, baseUrl),
        "GET",
      );
      return answer.json();
    },

    /** 4. Refresh. Store the new refresh token before you use the new access token. */
    refresh: (refreshToken: string) => client.refreshTokenGrant(config, refreshToken),

    /** 5. Sign out. The refresh token takes its access token along. */
    revoke: (token: string) => client.tokenRevocation(config, token),
  };
}
