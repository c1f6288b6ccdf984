import * as oauth from "oauth4webapi";

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

export async function oauth4webapi({ baseUrl, clientId, clientSecret, redirectUri }: Registration) {
  const issuer = new URL(baseUrl);
  const client: oauth.Client = { client_id: clientId };
  const proof = clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
  // Plain http is served on your own machine alone; elsewhere `options` can go.
  const options = { [oauth.allowInsecureRequests]: issuer.protocol === "http:" };
  const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...options });
  const server = await oauth.processDiscoveryResponse(issuer, found);

  return {
    /** 1. Send the player to `url`. */
    async ask(scope: string): Promise<{ url: string; waiting: Waiting }> {
      const waiting = {
        state: oauth.generateRandomState(),
        verifier: oauth.generateRandomCodeVerifier(),
      };
      const query = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state: waiting.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(waiting.verifier),
        code_challenge_method: "S256",
      });
      return { url: `${server.authorization_endpoint}?${query}`, waiting };
    },

    /** 2. They come back to the redirect URI. `address` is all of it; state and issuer are checked. Null: they denied. */
    async comeBack(address: string, { state, verifier }: Waiting) {
      let answer: URLSearchParams;
      try {
        answer = oauth.validateAuthResponse(server, client, new URL(address), state);
      } catch (thrown) {
        if (thrown instanceof oauth.AuthorizationResponseError && thrown.error === "access_denied")
          return null;
        throw thrown;
      }
      const exchange = [server, client, proof, answer, redirectUri, verifier, options] as const;
      const reply = await oauth.authorizationCodeGrantRequest(...exchange);
      return oauth.processAuthorizationCodeResponse(server, client, reply);
    },

    /** 3. Call. */
    async call(accessToken: string, path: string): Promise<unknown> {
      const url = new URL(path, issuer);
      const answer = await oauth.protectedResourceRequest(
        accessToken,
        "GET",
        url,
        undefined,
        undefined,
        options,
      );
      return answer.json();
    },

    /** 4. Refresh. Store the new refresh token before you use the new access token. */
    async refresh(refreshToken: string) {
      const reply = await oauth.refreshTokenGrantRequest(
        server,
        client,
        proof,
        refreshToken,
        options,
      );
      return oauth.processRefreshTokenResponse(server, client, reply);
    },

    /** 5. Sign out. The refresh token takes its access token along. */
    async revoke(token: string): Promise<void> {
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, proof, token, options),
      );
    },
  };
}
