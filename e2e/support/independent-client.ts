import * as oauth from "oauth4webapi";
import type { Registered } from "./register-application";

/** A pending authorization request. */
export interface Asked {
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
}

interface Wishes {
  readonly scope?: string;
  readonly prompt?: string;
}

// The product under test speaks plain http on the loopback interface.
const insecure = { [oauth.allowInsecureRequests]: true } as const;

/**
 * A client on an independent library: it discovers the endpoints from the metadata and checks every
 * answer against the RFCs. Its methods throw if an answer breaks one.
 */
export async function openIndependentClient(baseUrl: string, registered: Registered) {
  const { clientId, clientSecret, redirectUri } = registered;
  const issuer = new URL(baseUrl);
  const discovery = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
  const server = await oauth.processDiscoveryResponse(issuer, discovery);
  const client: oauth.Client = { client_id: clientId };
  const authentication =
    clientSecret === null ? oauth.None() : oauth.ClientSecretBasic(clientSecret);

  return {
    server,
    /** Builds the authorization URL. */
    async ask({ scope = "identity", prompt }: Wishes = {}): Promise<Asked> {
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const url = new URL(server.authorization_endpoint ?? "");
      url.search = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...(prompt && { prompt }),
      }).toString();
      return { url: url.href, state, verifier };
    },
    read: (arrived: URL, asked: Asked): URLSearchParams =>
      oauth.validateAuthResponse(server, client, arrived, asked.state),
    async exchange(answer: URLSearchParams, asked: Asked): Promise<oauth.TokenEndpointResponse> {
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        answer,
        redirectUri,
        asked.verifier,
        insecure,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response);
    },
    /** @throws ResponseBodyError for a refusal, with the registered `error` */
    async refresh(refreshToken: string): Promise<oauth.TokenEndpointResponse> {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        authentication,
        refreshToken,
        insecure,
      );
      return oauth.processRefreshTokenResponse(server, client, response);
    },
    callUser: (accessToken: string): Promise<Response> =>
      fetch(new URL("/api/v1/user", baseUrl), {
        headers: { authorization: `Bearer ${accessToken}` },
      }),
  };
}

export type IndependentClient = Awaited<ReturnType<typeof openIndependentClient>>;
