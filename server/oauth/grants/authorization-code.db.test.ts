import { describe, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { expectRefusal } from "#server/testing/expect-refusal";
import {
  authorizationQuery,
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  type TestApplication,
  testVerifier,
  unthrottled,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database, settings: { rates: unthrottled } });
const owner = await mintUser(ctx);
const user = await mintUser(ctx);
const redirectUris = [
  "https://client.test/cb",
  "https://client.test/cb2",
  "https://client.test/cb?x=a%2Fb",
];
const conf = await mintApplication(ctx, owner, { redirectUris });
const other = await mintApplication(ctx, await mintUser(ctx));
const pub = await mintApplication(ctx, owner, { kind: "public", redirectUris: [] });

const code = (app: TestApplication, query: Record<string, string> = {}) =>
  mintCode(ctx, app, { user, query });
const withoutPkce = { code_challenge: "", code_challenge_method: "" };
const { code_verifier: _verifier, ...bareRedemption } = redemption(conf, "");

/** Empty fields count as absent. */
const redeem = (app: TestApplication, fields: Record<string, string>) =>
  postToken(ctx, app, fields);

describe("a redemption that is in order", () => {
  test("TK-01: a public client exchanges code and verifier for an access token, and for no refresh token", async () => {
    const response = await redeem(pub, redemption(pub, await code(pub)));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("pragma")).toBe("no-cache");
    const reply = (await response.json()) as Record<string, unknown>;
    expect(reply).toEqual({
      access_token: expect.stringMatching(/^adj_at_[0-9A-Za-z]{49}$/),
      token_type: "Bearer",
      expires_in: 86_400,
      scope: "identity",
    });
  });

  test("TK-02 TK-03: a confidential client gets a refresh token, with and without PKCE, without scope and client_id (§7 row 30)", async () => {
    for (const [query, fields] of [
      [{}, { code_verifier: testVerifier }],
      [withoutPkce, {}],
    ] as const) {
      const response = await redeem(conf, {
        ...bareRedemption,
        code: await code(conf, query),
        ...fields,
      });
      expect(await response.json()).toMatchObject({
        refresh_token: expect.stringMatching(/^adj_rt_/),
        expires_in: 3_600,
      });
    }
  });
});

describe("a redemption that is refused leaves the code as it was", () => {
  test("TK-13: after a wrong secret the right one still redeems the code", async () => {
    const fields = redemption(conf, await code(conf));
    const wrong = await redeem({ ...conf, clientSecret: `${conf.clientSecret}x` }, fields);
    await expectRefusal(wrong, 401, "invalid_client");
    expect(wrong.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
    expect((await redeem(conf, fields)).status).toBe(200);
  });

  test("TK-22 TK-23 TK-24 TK-26 TK-34: each refusal is told apart, and the code can still be redeemed", async () => {
    const right = redemption(conf, await code(conf));
    const refusals: [string, Record<string, string>, string][] = [
      ["redirect_uri absent", { redirect_uri: "" }, "invalid_request"],
      [
        "another registered redirect_uri",
        { redirect_uri: "https://client.test/cb2" },
        "invalid_grant",
      ],
      [
        "redirect_uri with a query",
        { redirect_uri: "https://client.test/cb?x=a%2Fb" },
        "invalid_grant",
      ],
      [
        "redirect_uri in other letters",
        { redirect_uri: "https://CLIENT.test/cb" },
        "invalid_grant",
      ],
      ["redirect_uri a slash off", { redirect_uri: "https://client.test/cb/" }, "invalid_grant"],
      ["verifier absent", { code_verifier: "" }, "invalid_grant"],
      ["verifier wrong", { code_verifier: "b".repeat(43) }, "invalid_grant"],
      [
        "verifier = challenge",
        { code_verifier: authorizationQuery(conf).code_challenge },
        "invalid_grant",
      ],
      ["verifier of 42 characters", { code_verifier: "a".repeat(42) }, "invalid_grant"],
      ["verifier of 129 characters", { code_verifier: "a".repeat(129) }, "invalid_grant"],
      ["verifier with +/=", { code_verifier: `${"a".repeat(42)}+` }, "invalid_grant"],
      ["verifier in unicode", { code_verifier: "ä".repeat(43) }, "invalid_grant"],
      ["scope wider", { scope: "identity faction" }, "invalid_scope"],
      ["scope unknown", { scope: "admin" }, "invalid_scope"],
    ];
    for (const [, fields, error] of refusals)
      await expectRefusal(await redeem(conf, { ...right, ...fields }), 400, error);
    await expectRefusal(await redeem(other, right), 400, "invalid_grant");
    expect((await redeem(conf, right)).status).toBe(200);
  });

  test("TK-27: a code of a public client is nothing to a confidential one, and the reverse", async () => {
    await expectRefusal(await redeem(conf, redemption(pub, await code(pub))), 400, "invalid_grant");
    await expectRefusal(
      await redeem(pub, redemption(conf, await code(conf))),
      400,
      "invalid_grant",
    );
  });

  test("a verifier without a challenge is refused, and one that is empty is none", async () => {
    const fields = redemption(conf, await code(conf, withoutPkce));
    await expectRefusal(await redeem(conf, fields), 400, "invalid_grant");
    expect((await redeem(conf, { ...fields, code_verifier: "" })).status).toBe(200);
  });

  test("TK-22: a redirect URI is compared letter for letter with the one that the code was asked with", async () => {
    const redirect_uri = "https://client.test/cb?x=a%2Fb";
    const right = redemption(conf, await code(conf, { redirect_uri }), { redirect_uri });
    for (const other of [
      "https://client.test/cb?x=a/b",
      "https://client.test/cb?x=a%2fb",
      "https://client.test/cb",
    ])
      await expectRefusal(
        await redeem(conf, { ...right, redirect_uri: other }),
        400,
        "invalid_grant",
      );
    expect((await redeem(conf, right)).status).toBe(200);
  });

  test("TK-21: a code must be given, and be one of ours", async () => {
    const real = await code(conf);
    await expectRefusal(await redeem(conf, redemption(conf, "")), 400, "invalid_request");
    await expectRefusal(await redeem(conf, redemption(conf, "random")), 400, "invalid_grant");
    const changed = (real.startsWith("adj_ac_0") ? "adj_ac_1" : "adj_ac_0") + real.slice(8);
    await expectRefusal(await redeem(conf, redemption(conf, changed)), 400, "invalid_grant");
  });
});

describe("a code is used once", () => {
  test.each([3, 30, 3_600])(
    "TK-28: a valid second redemption after %i s ends what the first one gave",
    async (seconds) => {
      const fields = redemption(conf, await code(conf));
      const reply = (await (await redeem(conf, fields)).json()) as {
        access_token: string;
        refresh_token: string;
      };
      clock.advance(seconds);
      await expectRefusal(await redeem(conf, fields), 400, "invalid_grant");
      expect(await ctx.tokens.authenticate(reply.access_token)).toBeUndefined();
      const refreshed = await redeem(conf, {
        grant_type: "refresh_token",
        refresh_token: reply.refresh_token,
      });
      await expectRefusal(refreshed, 400, "invalid_grant");
    },
  );

  test("a second redemption that is not valid ends nothing", async () => {
    const fields = redemption(conf, await code(conf));
    const reply = (await (await redeem(conf, fields)).json()) as { access_token: string };
    clock.advance(3);
    await expectRefusal(
      await redeem(conf, { ...fields, code_verifier: "b".repeat(43) }),
      400,
      "invalid_grant",
    );
    await expectRefusal(await redeem(other, fields), 400, "invalid_grant");
    expect(await ctx.tokens.authenticate(reply.access_token)).toBeDefined();
  });

  test("a second redemption is a duplicate for two seconds to the millisecond, and theft from then on", async () => {
    const fields = redemption(conf, await code(conf));
    const reply = (await (await redeem(conf, fields)).json()) as { access_token: string };
    clock.advance(2);
    await expectRefusal(await redeem(conf, fields), 400, "invalid_grant");
    expect(await ctx.tokens.authenticate(reply.access_token)).toBeDefined();
    clock.advance(0.001);
    await expectRefusal(await redeem(conf, fields), 400, "invalid_grant");
    expect(await ctx.tokens.authenticate(reply.access_token)).toBeUndefined();
  });

  test("TK-32: a code lives for a minute, and not at its end", async () => {
    const [early, late] = [redemption(conf, await code(conf)), redemption(conf, await code(conf))];
    clock.advance(59.999);
    expect((await redeem(conf, early)).status).toBe(200);
    clock.advance(0.001);
    await expectRefusal(await redeem(conf, late), 400, "invalid_grant");
  });
});

describe("what a token carries", () => {
  test("TK-34 TK-35: a narrower scope narrows the token and not the grant, and the reply says what was given", async () => {
    const fields = redemption(
      conf,
      await mintCode(ctx, conf, { user, scope: "identity faction:crimes" }),
    );
    const reply = (await (await redeem(conf, { ...fields, scope: "identity" })).json()) as Record<
      string,
      string
    >;
    expect(reply.scope).toBe("identity");
    const refreshed = { grant_type: "refresh_token", refresh_token: reply.refresh_token ?? "" };
    expect(await (await redeem(conf, refreshed)).json()).toMatchObject({
      scope: "identity faction:crimes",
    });
  });

  test("an empty scope is granted as such", async () => {
    const tokens = await mintTokens(ctx, conf, { user, scopes: [] });
    expect(tokens.scope).toBe("");
    expect(await ctx.tokens.authenticate(tokens.access_token)).toMatchObject({
      actor: { scopes: [] },
      status: "active",
    });
  });
});
