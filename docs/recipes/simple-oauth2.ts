import { createHash, randomBytes } from "node:crypto";
import { AuthorizationCode } from "simple-oauth2";

interface Registration {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** Keep it in the player's session until they come back. */
interface Waiting {
  readonly state: string;
  readonly verifier: string;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const random = () => randomBytes(32).toString("base64url");

export function simpleOauth2({ baseUrl, clientId, clientSecret, redirectUri }: Registration) {
  // Its paths are our paths, so that the host is enough.
  const grant = new AuthorizationCode({
    client: { id: clientId, secret: clientSecret },
    auth: { tokenHost: baseUrl },
    options: { authorizationMethod: "header" },
  });
  const holding = (token: string) =>
    grant.createToken({ access_token: token, refresh_token: token });

  return {
    /** 1. Send the player to `url`. */
    ask(scope: string): { url: string; waiting: Waiting } {
      const waiting = { state: random(), verifier: random() };
      const challenge = createHash("sha256").update(waiting.verifier).digest("base64url");
      // The library passes on what it does not know itself; its types leave PKCE out.
      const pkce: object = { code_challenge: challenge, code_challenge_method: "S256" };
      const url = grant.authorizeURL({
        redirect_uri: redirectUri,
        scope,
        state: waiting.state,
        ...pkce,
      });
      return { url, waiting };
    },

    /** 2. They come back to the redirect URI. `address` is all of it. The library checks nothing here. Null: they denied. */
    async comeBack(address: string, { state, verifier }: Waiting): Promise<Tokens | null> {
      const answer = new URL(address).searchParams;
      if (answer.get("state") !== state || answer.get("iss") !== baseUrl)
        throw new Error("This answer is not ours.");
      if (answer.get("error") === "access_denied") return null;
      const pkce: object = { code_verifier: verifier };
      const code = answer.get("code") ?? "";
      return tokensOf(await grant.getToken({ code, redirect_uri: redirectUri, ...pkce }));
    },

    /** 3. Call. */
    async call(accessToken: string, path: string): Promise<unknown> {
      const headers = { Authorization: `Bearer ${accessToken}` };
      const answer = await fetch(new URL(path, baseUrl), { headers });
      if (!answer.ok) throw new Error(`The call failed: ${await answer.text()}`);
      return answer.json();
    },

    /** 4. Refresh. Store the new refresh token before you use the new access token. */
    refresh: async (refreshToken: string): Promise<Tokens> =>
      tokensOf(await holding(refreshToken).refresh()),

    /** 5. Sign out. The refresh token takes its access token along. */
    revoke: (refreshToken: string): Promise<void> => holding(refreshToken).revoke("refresh_token"),
  };
}

const tokensOf = ({ token }: { token: Record<string, unknown> }): Tokens => ({
  access_token: String(token.access_token),
  refresh_token: String(token.refresh_token),
});
