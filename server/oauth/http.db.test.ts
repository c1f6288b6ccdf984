import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { applications } from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import { oauthErrorOf } from "#server/testing/oauth-error-of";
import {
  basic,
  formRequest,
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  type TestApplication,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { tokenWorld } from "#server/testing/token-world";
import { testSource } from "#server/testing/world";
import { answerIntrospection, answerRevocation, answerToken } from "./http";

const { database, ctx, owner, user, conf, other, pub, nextMinute } = await tokenWorld();
const peer = { address: testSource.address };
const post = (init: RequestInit) =>
  new Request("http://any.host/oauth/token?grant_type=refresh_token", init);
const form = "application/x-www-form-urlencoded";

describe("the token endpoint", () => {
  test.each(["GET", "PUT", "DELETE", "PATCH", "HEAD"])(
    "TK-04: %s is refused, whatever the query says",
    async (method) => {
      const response = await answerToken(ctx, post({ method }), peer);
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST");
      expect(response.headers.get("cache-control")).toBe("no-store");
    },
  );

  test("TK-04: the query is never read", async () => {
    const response = await answerToken(
      ctx,
      post({ method: "POST", body: "", headers: { "content-type": form } }),
      peer,
    );
    expect(await oauthErrorOf(response)).toEqual([400, "invalid_request"]);
  });

  test.each(["application/json", "multipart/form-data; boundary=x", "text/plain", ""])(
    "TK-05: a body of type %j is refused",
    async (type) => {
      const body = new TextEncoder().encode("grant_type=refresh_token");
      const headers: Record<string, string> = type ? { "content-type": type } : {};
      expect(
        await oauthErrorOf(await answerToken(ctx, post({ method: "POST", body, headers }), peer)),
      ).toEqual([400, "invalid_request"]);
    },
  );

  test("TK-06: a charset in the content type is accepted", async () => {
    const { refresh_token } = await mintTokens(ctx, conf, { user });
    const request = post({
      method: "POST",
      body: `grant_type=refresh_token&refresh_token=${refresh_token}`,
      headers: {
        "content-type": "Application/X-WWW-Form-URLencoded;charset=UTF-8",
        authorization: basic(conf),
      },
    });
    expect((await answerToken(ctx, request, peer)).status).toBe(200);
  });

  test.each([
    ["", "invalid_request"],
    ["grant_type=", "invalid_request"],
    ["grant_type=password", "unsupported_grant_type"],
    ["grant_type=client_credentials", "unsupported_grant_type"],
    ["grant_type=urn:ietf:params:oauth:grant-type:device_code", "unsupported_grant_type"],
    ["grant_type=constructor", "unsupported_grant_type"],
    ["grant_type=__proto__", "unsupported_grant_type"],
    ["grant_type=refresh_token&grant_type=refresh_token", "invalid_request"],
    ["grant_type=authorization_code&code[]=x", "invalid_request"],
    [
      "grant_type=authorization_code&redirect_uri=https%3A%2F%2Fclient.test%2Fcb",
      "invalid_request",
    ],
  ])("TK-19 TK-20 TK-21: %j is refused as %s", async (body, error) => {
    nextMinute();
    const request = post({
      method: "POST",
      body,
      headers: { "content-type": form, authorization: basic(conf) },
    });
    const response = await answerToken(ctx, request, peer);
    const said = (await response.json()) as { error: string; error_description: string };
    expect([response.status, said.error]).toEqual([400, error]);
    expect(said.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(Object.keys(said)).toEqual(["error", "error_description"]);
  });

  test("DS-03: a body above 16 KB is refused, announced or not", async () => {
    const body = `grant_type=refresh_token&refresh_token=${"x".repeat(20_000)}`;
    const announced = { "content-type": form, "content-length": String(body.length) };
    for (const headers of [{ "content-type": form }, announced])
      expect((await answerToken(ctx, post({ method: "POST", body, headers }), peer)).status).toBe(
        413,
      );
  });

  test("HD-10: a request that came to the proxy by plain http is refused", async () => {
    const response = await answerToken(ctx, formRequest("token", {}), { ...peer, insecure: true });
    expect(await oauthErrorOf(response)).toEqual([400, "invalid_request"]);
  });

  test("each answer has a request id of its own, and a failure is in the audit log under it", async () => {
    nextMinute();
    const response = await postToken(ctx, conf, {
      grant_type: "refresh_token",
      refresh_token: "unknown",
    });
    const requestId = response.headers.get("x-request-id") ?? "";
    await ctx.settled();
    const events = await ctx.database.query
      .select()
      .from(auditLog)
      .where(eq(auditLog.requestId, requestId));
    expect(events).toMatchObject([
      {
        act: "token_request.refused",
        clientId: conf.clientId,
        address: peer.address,
        details: { error: "invalid_grant" },
      },
    ]);
  });

  test.each([
    [
      "a secret in the body",
      { client_id: conf.clientId, client_secret: "x", grant_type: "refresh_token" },
      {},
    ],
    ["no grant_type", {}, { authorization: basic(conf) }],
    [
      "another client_id beside the header",
      { client_id: "x", grant_type: "refresh_token" },
      { authorization: basic(conf) },
    ],
  ])(
    "the developer finds a request with %s among the application's failures",
    async (_, body: object, headers: object) => {
      nextMinute();
      const text = new URLSearchParams({ ...body }).toString();
      const response = await answerToken(
        ctx,
        post({ method: "POST", body: text, headers: { "content-type": form, ...headers } }),
        peer,
      );
      const requestId = response.headers.get("x-request-id") ?? "";
      await ctx.settled();
      const events = await ctx.database.query
        .select()
        .from(auditLog)
        .where(eq(auditLog.requestId, requestId));
      expect(events).toMatchObject([{ act: "token_request.refused", clientId: conf.clientId }]);
    },
  );
});

describe("limits", () => {
  const fail = (address: string | null, app: TestApplication = conf) =>
    postToken(
      ctx,
      { ...app, clientSecret: "wrong" },
      { grant_type: "refresh_token", refresh_token: "x" },
      { address: address ?? "" },
    );

  test("RL-12: after 20 failures from an address it is told to slow down, in the shape of OAuth errors", async () => {
    nextMinute();
    for (let failure = 0; failure < 20; failure++)
      expect((await fail("192.0.2.7")).status).toBe(401);
    const response = await fail("192.0.2.7");
    expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d?$/);
    expect(await oauthErrorOf(response)).toEqual([429, "slow_down"]);
  });

  test("failures lock out neither the rightful client at that address nor anybody elsewhere", async () => {
    expect((await fail("192.0.2.7")).status).toBe(429);
    expect((await fail("192.0.2.8")).status).toBe(401);
    const { refresh_token } = await mintTokens(ctx, conf, { user });
    const right = { grant_type: "refresh_token", refresh_token: refresh_token ?? "" };
    expect((await postToken(ctx, conf, right, { address: "192.0.2.7" })).status).toBe(200);
  });

  test("calls that fail do not use up the window of a public client", async () => {
    nextMinute();
    const few = await testContext({
      database,
      settings: { rates: { ...ctx.settings.rates, client: 2, clientFailures: 1 } },
    });
    for (let time = 0; time < 5; time++) await postToken(few.ctx, pub, redemption(pub, "guess"));
    const code = await mintCode(few.ctx, pub, { user });
    expect((await postToken(few.ctx, pub, redemption(pub, code))).status).toBe(200);
  });

  test("nobody uses up the window of a public client, whose id is no secret, for others", async () => {
    nextMinute();
    const few = await testContext({
      database,
      settings: { rates: { ...ctx.settings.rates, client: 2 } },
    });
    const revoke = (address: string) =>
      answerRevocation(
        few.ctx,
        formRequest("revoke", { client_id: pub.clientId, token: "made up" }),
        { address },
      );
    const statuses = [];
    // All addresses of a subscriber share a window.
    for (const host of [1, 2, 3]) statuses.push((await revoke(`2001:db8:1:2::${host}`)).status);
    expect(statuses).toEqual([200, 200, 429]);
    const code = await mintCode(few.ctx, pub, { user });
    expect((await postToken(few.ctx, pub, redemption(pub, code))).status).toBe(200);
  });

  test("a client has a window of its own, for all addresses together", async () => {
    const few = await testContext({
      database,
      settings: { rates: { ...ctx.settings.rates, client: 2 } },
    });
    const ask = (address: string) =>
      answerIntrospection(
        few.ctx,
        formRequest("introspect", { token: "x" }, { authorization: basic(other) }),
        {
          address,
        },
      );
    expect([(await ask("192.0.2.1")).status, (await ask("192.0.2.2")).status]).toEqual([200, 200]);
    expect(await oauthErrorOf(await ask("192.0.2.3"))).toEqual([429, "slow_down"]);
  });
});

test("a suspended application is told so, and introspection says that its tokens are inactive", async () => {
  nextMinute();
  const app = await mintApplication(ctx, owner);
  const suspendedAt = ctx.now();
  await ctx.database.query
    .update(applications)
    .set({ suspendedAt })
    .where(eq(applications.clientId, app.clientId));
  const headers = { authorization: basic(app) };
  const answers = [
    await postToken(ctx, app, { grant_type: "refresh_token", refresh_token: "x" }),
    await answerRevocation(ctx, formRequest("revoke", { token: "x" }, headers), peer),
  ];
  for (const response of answers)
    expect(await oauthErrorOf(response)).toEqual([400, "unauthorized_client"]);
  const asked = await answerIntrospection(
    ctx,
    formRequest("introspect", { token: "x" }, headers),
    peer,
  );
  expect([asked.status, await asked.json()]).toEqual([200, { active: false }]);
});
