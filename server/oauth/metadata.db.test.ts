import { describe, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { formRequest } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { testSource } from "#server/testing/world";
import { answerIntrospection, answerMetadata, answerRevocation, answerToken } from "./http";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const peer = { address: testSource.address };

/** Each test starts with unused windows. */
const nextMinute = () => clock.advance(60);

describe("scripts on other sites", () => {
  const preflight = (path: string) => new Request(`http://any.host${path}`, { method: "OPTIONS" });

  test("HD-07: may call token, revocation and metadata; errors and preflights say so too", async () => {
    nextMinute();
    const answers = [
      await answerToken(ctx, preflight("/oauth/token"), peer),
      await answerRevocation(ctx, preflight("/oauth/revoke"), peer),
      await answerMetadata(ctx, preflight("/oauth/metadata"), peer),
      await answerToken(ctx, formRequest("token", {}), peer),
      await answerMetadata(ctx, new Request("http://any.host/oauth/metadata"), peer),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 400, 200]);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.has("access-control-allow-credentials")).toBe(false);
      expect(headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    }
    expect(answers[0]?.headers.get("access-control-max-age")).toBe("600");
  });

  test("HD-07: a preflight allows whatever headers it asks for", async () => {
    const asked = (path: string) =>
      new Request(`http://any.host${path}`, {
        method: "OPTIONS",
        headers: { "access-control-request-headers": "sentry-trace,x-requested-with" },
      });
    for (const { headers } of [
      await answerToken(ctx, asked("/oauth/token"), peer),
      await answerRevocation(ctx, asked("/oauth/revoke"), peer),
      await answerMetadata(ctx, asked("/oauth/metadata"), peer),
    ])
      expect(headers.get("access-control-allow-headers")).toBe("sentry-trace,x-requested-with");
  });

  test("HD-07: may not introspect", async () => {
    const refused = await answerIntrospection(ctx, preflight("/oauth/introspect"), peer);
    expect(refused.status).toBe(405);
    expect([...refused.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual(
      [],
    );
  });
});

describe("metadata", () => {
  const ask = (init: RequestInit = {}, host = "any.host") =>
    answerMetadata(
      ctx,
      new Request(`http://${host}/.well-known/oauth-authorization-server`, init),
      peer,
    );

  test("MD-01 AZ-35: says what there is, and nothing that is not (§7 row 32)", async () => {
    const { baseUrl } = ctx.settings;
    const metadata = (await (await ask()).json()) as Record<string, unknown>;
    expect(metadata).toMatchObject({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "none"],
      code_challenge_methods_supported: ["S256"],
      scopes_supported: [
        "identity",
        "faction",
        "faction:attacks",
        "faction:banking",
        "faction:crimes",
        "service_key:usage",
      ],
      authorization_response_iss_parameter_supported: true,
    });
    expect(metadata).not.toHaveProperty("registration_endpoint");
  });

  test("names the operator's policy and terms where the settings do", async () => {
    expect(await (await ask()).json()).not.toHaveProperty("op_policy_uri");
    const told = await testContext({
      database,
      settings: { policyUrl: "https://operator.example/privacy" },
    });
    const answer = await answerMetadata(
      told.ctx,
      new Request("http://any.host/oauth/metadata"),
      peer,
    );
    const metadata = (await answer.json()) as Record<string, unknown>;
    expect(metadata).toMatchObject({ op_policy_uri: "https://operator.example/privacy" });
    expect(metadata).not.toHaveProperty("op_tos_uri");
  });

  test("MD-07: is the same byte for byte under another host and on another instance", async () => {
    const elsewhere = await testContext({ database });
    const request = new Request("http://evil.test/oauth/metadata", {
      headers: { "x-forwarded-host": "evil.test" },
    });
    expect(await (await answerMetadata(elsewhere.ctx, request, peer)).text()).toBe(
      await (await ask()).text(),
    );
  });

  test("is read by GET and HEAD alone", async () => {
    const refused = await ask({ method: "POST" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await (await ask({ method: "HEAD" })).text()).toBe("");
  });
});
