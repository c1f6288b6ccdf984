import * as oauth from "oauth4webapi";
import { expect, test } from "vitest";
import { answer } from "#server/answer";
import { testDatabase } from "#server/testing/database";
import { mintApplication, type TestApplication, TestBrowser } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import type { ApplicationInput } from "./clients/contract";

// A foreign client library judges every answer by the RFCs. Its requests go to the surface that
// both mounts share.

const database = await testDatabase();
const { ctx } = await testContext({ database });
const owner = await mintUser(ctx);
const user = await mintUser(ctx);
const issuer = new URL(ctx.settings.baseUrl);
const options = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: async (url: string, init: object) => {
    const said = await answer(ctx, new Request(url, init), { address: "192.0.2.1" });
    return new Response(said.body, { status: said.status, headers: said.headers });
  },
};

async function discover() {
  const found = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" });
  return oauth.processDiscoveryResponse(issuer, found);
}

/** @returns the validated parameters of the answer */
async function authorize(
  server: oauth.AuthorizationServer,
  app: TestApplication,
  decision: "approve" | "deny",
) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = String(
    new URLSearchParams({
      response_type: "code",
      client_id: app.clientId,
      redirect_uri: app.redirectUri,
      scope: "identity faction:banking",
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }),
  );
  const browser = await TestBrowser.signedIn(ctx, user);
  const back = await browser.decide(await browser.authorize(url.search.slice(1)), user, decision);
  return {
    verifier,
    validate: () => oauth.validateAuthResponse(server, { client_id: app.clientId }, back, state),
  };
}

test.each(["confidential", "public"] as const)(
  "a %s client signs in, calls, and revokes",
  async (kind) => {
    const fields: Partial<ApplicationInput> = kind === "public" ? { kind, redirectUris: [] } : {};
    const app = await mintApplication(ctx, owner, fields);
    const client = { client_id: app.clientId };
    const authentication =
      app.clientSecret === null ? oauth.None() : oauth.ClientSecretBasic(app.clientSecret);
    const server = await discover();
    const { verifier, validate } = await authorize(server, app, "approve");
    const exchanged = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      validate(),
      app.redirectUri,
      verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
    expect(tokens).toMatchObject({ token_type: "bearer", scope: "identity faction:banking" });

    const call = await oauth.protectedResourceRequest(
      tokens.access_token,
      "GET",
      new URL("/api/v1/user", issuer),
      new Headers(),
      null,
      options,
    );
    expect(await call.json()).toMatchObject({ tid: user.playerId });

    const revoked = await oauth.revocationRequest(
      server,
      client,
      authentication,
      tokens.access_token,
      options,
    );
    await oauth.processRevocationResponse(revoked);
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeUndefined();
  },
);

test("a confidential client refreshes and introspects", async () => {
  const app = await mintApplication(ctx, owner);
  const client = { client_id: app.clientId };
  const authentication = oauth.ClientSecretBasic(app.clientSecret ?? "");
  const server = await discover();
  const { verifier, validate } = await authorize(server, app, "approve");
  const exchange = [validate(), app.redirectUri, verifier, options] as const;
  const exchanged = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    ...exchange,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);

  const asked = await oauth.refreshTokenGrantRequest(
    server,
    client,
    authentication,
    tokens.refresh_token ?? "",
    options,
  );
  const next = await oauth.processRefreshTokenResponse(server, client, asked);
  expect(next.refresh_token).not.toBe(tokens.refresh_token);

  const told = await oauth.introspectionRequest(
    server,
    client,
    authentication,
    next.access_token,
    options,
  );
  const introspection = await oauth.processIntrospectionResponse(server, client, told);
  expect(introspection).toMatchObject({
    active: true,
    client_id: app.clientId,
    sub: String(user.playerId),
  });
});

test("AZ-34 AZ-35: a denial reaches the client as an error that it accepts as ours", async () => {
  const app = await mintApplication(ctx, owner);
  const { validate } = await authorize(await discover(), app, "deny");
  expect(validate).toThrow(expect.objectContaining({ error: "access_denied" }));
});

test("a refused exchange reaches the client as an error of the RFC", async () => {
  const app = await mintApplication(ctx, owner);
  const client = { client_id: app.clientId };
  const server = await discover();
  const { validate } = await authorize(server, app, "approve");
  const wrong = [validate(), app.redirectUri, oauth.generateRandomCodeVerifier(), options] as const;
  const authentication = oauth.ClientSecretBasic(app.clientSecret ?? "");
  const refused = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    ...wrong,
  );
  await expect(
    oauth.processAuthorizationCodeResponse(server, client, refused),
  ).rejects.toMatchObject({
    error: "invalid_grant",
  });
});
