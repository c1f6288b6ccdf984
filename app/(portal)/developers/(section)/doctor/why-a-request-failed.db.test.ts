import { createElement } from "react";
import { expect, test } from "vitest";
import { suspendApplication } from "#server/admin/applications";
import { diagnose } from "#server/oauth/clients/diagnose";
import { answerIntrospection, answerToken } from "#server/oauth/http";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  basic,
  formRequest,
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
  type TestApplication,
  TestBrowser,
} from "#server/testing/oauth-world";
import { wordsOn } from "#server/testing/page-words";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { DiagnosisResult } from "./_parts/diagnosed";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const owner = await mintUser(ctx);
const admin = { ...(await mintUser(ctx)), admin: true };
const redirectUri = "https://client.test/cb";

const idOf = (answer: Response) => answer.headers.get("x-request-id") ?? "";
const ofApplication =
  (
    act: (app: TestApplication) => Promise<Response>,
    kind: "public" | "confidential" = "confidential",
  ) =>
  async () =>
    idOf(
      await act(
        await mintApplication(ctx, owner, {
          redirectUris: [redirectUri],
          scopes: ["identity"],
          kind,
        }),
      ),
    );

const asking = (fields: Record<string, string>, kind?: "public") =>
  ofApplication((app) => new TestBrowser(ctx).authorize(authorizationQuery(app, fields)), kind);
const exchanging = (fields: Record<string, string>, change: Partial<TestApplication> = {}) =>
  ofApplication(async (app) =>
    postToken(ctx, { ...app, ...change }, redemption(app, await codeOf(app), fields)),
  );
const codeOf = async (app: TestApplication) => mintCode(ctx, app, { user: await mintUser(ctx) });

/** Failures, with the cause and advice that the page must show. */
const failures: readonly [
  what: string,
  inHand: () => Promise<string>,
  cause: string,
  todo: string,
][] = [
  [
    "a redirect URI with a slash too many",
    asking({ redirect_uri: `${redirectUri}/` }),
    "does not exactly match",
    "Paste the authorization URL",
  ],
  [
    "an application that does not exist",
    asking({ client_id: "0".repeat(32) }),
    "client_id is unknown",
    "that the application’s page shows",
  ],
  [
    "a public application without PKCE",
    asking({ code_challenge: "", code_challenge_method: "" }, "public"),
    "must send a code_challenge",
    "Fix it in your code",
  ],
  [
    "a scope that is not registered",
    asking({ scope: "faction" }),
    "not registered for faction",
    "application’s settings",
  ],
  [
    "a player who denied",
    async () => `${redirectUri}?error=access_denied&state=x`,
    "The player denied",
    "Ask again only when the player wants to",
  ],
  [
    "a suspended application",
    ofApplication(async (app) => {
      await suspendApplication(ctx, admin, { clientId: app.clientId, reason: "test" });
      return new TestBrowser(ctx).authorize(authorizationQuery(app));
    }),
    "The application is suspended",
    "The reason is in your notices.",
  ],
  [
    "a wrong secret",
    exchanging({}, { clientSecret: "wrong" }),
    "none of the application’s live ones",
    "create a new one",
  ],
  [
    "a secret in the body",
    ofApplication(async (app) =>
      postToken(ctx, null, {
        ...redemption(app, await codeOf(app)),
        client_id: app.clientId,
        client_secret: app.clientSecret ?? "",
      }),
    ),
    "A client_secret in the body",
    "HTTP Basic",
  ],
  [
    "JSON where a form belongs",
    ofApplication((app) =>
      answerToken(
        ctx,
        new Request("http://any.host/oauth/token", {
          method: "POST",
          body: "{}",
          headers: { authorization: basic(app), "content-type": "application/json" },
        }),
        { address: null },
      ),
    ),
    "must be sent as application/x-www-form-urlencoded",
    "Send a form, not JSON",
  ],
  [
    "the token endpoint opened in a browser",
    ofApplication(() =>
      answerToken(ctx, new Request("http://any.host/oauth/token"), { address: null }),
    ),
    "The method must be POST",
    "Fix it in your code",
  ],
  [
    "another code verifier",
    exchanging({ code_verifier: "b".repeat(43) }),
    "does not fit the code_challenge",
    "base64url, without padding",
  ],
  [
    "another redirect URI than was asked with",
    exchanging({ redirect_uri: `${redirectUri}/` }),
    "not the one of the authorization request",
    "character by character",
  ],
  [
    "a code that came too late",
    ofApplication(async (app) => {
      const code = await codeOf(app);
      clock.advance(61);
      return postToken(ctx, app, redemption(app, code));
    }),
    "The code has expired",
    "within a minute",
  ],
  [
    "a code that was used twice",
    ofApplication(async (app) => {
      const code = await codeOf(app);
      await postToken(ctx, app, redemption(app, code));
      clock.advance(30);
      return postToken(ctx, app, redemption(app, code));
    }),
    "A code was used a second time",
    "Exchange each code once",
  ],
  [
    "another grant type",
    ofApplication((app) => postToken(ctx, app, { grant_type: "password" })),
    "must be authorization_code or refresh_token",
    "Send one of these two",
  ],
  [
    "a public application that refreshes",
    ofApplication(
      (app) => postToken(ctx, app, { grant_type: "refresh_token", refresh_token: "x" }),
      "public",
    ),
    "Public applications cannot refresh",
    "through the flow again",
  ],
  [
    "an application that the token endpoint does not know",
    exchanging({}, { clientId: "0".repeat(32) }),
    "The client_id is unknown",
    "that the application’s page shows",
  ],
  [
    "a code verifier that is missing",
    exchanging({ code_verifier: "" }),
    "The code_verifier is missing",
    "base64url",
  ],
  [
    "a code that was cut off",
    exchanging({ code: "adj_ac_short" }),
    "The code is unknown",
    "the whole code",
  ],
  [
    "a code of another application",
    ofApplication(async (app) => {
      const other = await mintApplication(ctx, owner, {
        redirectUris: [redirectUri],
        scopes: ["identity"],
      });
      return postToken(ctx, app, redemption(app, await codeOf(other)));
    }),
    "issued to another application",
    "with the",
  ],
  [
    "a refresh token of nobody",
    ofApplication((app) =>
      postToken(ctx, app, { grant_type: "refresh_token", refresh_token: "adj_rt_x" }),
    ),
    "The refresh token is unknown",
    "the whole token of the newest response",
  ],
  [
    "a refresh that asks for more than was allowed",
    ofApplication(async (app) => {
      const { refresh_token = "" } = await mintTokens(ctx, app, { user: await mintUser(ctx) });
      return refresh(ctx, app, refresh_token, { scope: "identity faction" });
    }),
    "wider than what was granted, which lacks faction",
    "Leave scope out",
  ],
  [
    "another response type",
    asking({ response_type: "token" }),
    "The response_type must be code",
    "response_type=code",
  ],
  ["a state that is missing", asking({ state: "" }), "The state is missing", "Fix it in your code"],
  [
    "a quiet request of nobody who is signed in",
    asking({ prompt: "none" }),
    "Nobody is signed in",
    "without",
  ],
  [
    "an introspection with a wrong secret",
    ofApplication((app) =>
      answerIntrospection(
        ctx,
        formRequest(
          "introspect",
          { token: "x" },
          { authorization: basic({ ...app, clientSecret: "wrong" }) },
        ),
        { address: null },
      ),
    ),
    "none of the application’s live ones",
    "create a new one",
  ],
  [
    "too many failed requests of an application",
    ofApplication(async (app) => {
      const wrong = () => postToken(ctx, { ...app, clientSecret: "wrong" }, redemption(app, "x"));
      for (let tries = 0; tries < ctx.settings.rates.clientFailures; tries++) await wrong();
      return wrong();
    }),
    "Too many requests",
    "Wait for Retry-After seconds",
  ],
  [
    "a redirect URI with another port, by the line of the header",
    async () => `X-Request-Id: ${await asking({ redirect_uri: "https://client.test:8443/cb" })()}`,
    "does not exactly match",
    "Paste the authorization URL",
  ],
];

test.each(failures)(
  "of %s the doctor tells why, and what to do",
  async (_what, inHand, cause, todo) => {
    const text = await inHand();
    await ctx.settled();
    const page = wordsOn(
      createElement(DiagnosisResult, { found: await diagnose(ctx, owner, text) }),
    );
    expect(page).toContain(cause);
    expect(page.slice(page.indexOf(cause))).toContain(todo);
  },
);
