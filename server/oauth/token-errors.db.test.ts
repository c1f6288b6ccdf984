import { describe, expect, test } from "vitest";
import type { Context } from "#server/context";
import {
  basic,
  mintCode,
  mintTokens,
  redemption,
  type TestApplication,
  unthrottled,
} from "#server/testing/oauth-world";
import { tokenWorld } from "#server/testing/token-world";
import { testSource } from "#server/testing/world";
import { answerToken } from "./http";

const { ctx, owner, conf, other, pub } = await tokenWorld({ rates: unthrottled });

/** RFC 6749 section 5.2, RFC 8628 for a limit and RFC 6749 section 4.1.2.1 for a server error. */
const words = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
];
const registered = [
  ...words,
  "invalid_scope",
  "slow_down",
  "server_error",
  "temporarily_unavailable",
];

interface Sent {
  readonly body?: Record<string, string> | string;
  readonly app?: TestApplication | null;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly on?: Context;
}

function send({
  body = "",
  app = conf,
  headers = {},
  method = "POST",
  on = ctx,
}: Sent): Promise<Response> {
  const text = typeof body === "string" ? body : new URLSearchParams(body).toString();
  const sent = {
    "content-type": "application/x-www-form-urlencoded",
    ...(app?.clientSecret ? { authorization: basic(app) } : {}),
    ...headers,
  };
  const request = new Request("http://any.host/oauth/token", {
    method,
    headers: sent,
    body: method === "GET" ? null : text,
  });
  return answerToken(on, request, { address: testSource.address });
}

const code = await mintCode(ctx, conf, { user: owner });
const { refresh_token: refreshToken = "" } = await mintTokens(ctx, conf, { user: owner });
const withRefresh = { grant_type: "refresh_token", refresh_token: refreshToken };
const hostile = "\u0000<script>\r\nSet-Cookie: a=b\r\n'; drop table accounts; -- \u202e😀";
const queryFailed = Object.assign(
  new Error("Failed query: select secret from application_secrets"),
  {
    query: "select secret from application_secrets",
  },
);
const failing = (error: Error): Context => ({
  ...ctx,
  tokens: { ...ctx.tokens, findClient: () => Promise.reject(error) },
});

const errors: [string, Sent][] = [
  ["no body", {}],
  ["GET", { method: "GET" }],
  ["another content type", { headers: { "content-type": "application/json" }, body: "{}" }],
  ["no content type", { headers: { "content-type": "" }, body: withRefresh }],
  ["a body of 20 KB", { body: "x".repeat(20_000) }],
  ["an unknown grant", { body: { grant_type: "password" } }],
  ["a hostile grant", { body: { grant_type: hostile } }],
  ["a parameter twice", { body: "grant_type=refresh_token&grant_type=refresh_token" }],
  ["broken escapes", { body: "grant_type=%zz&refresh_token=%ff%fe" }],
  ["no client", { app: null, body: withRefresh }],
  ["an unknown client", { app: { ...conf, clientId: "unknown" }, body: withRefresh }],
  ["a hostile client", { app: null, body: { ...withRefresh, client_id: hostile } }],
  ["a wrong secret", { app: { ...conf, clientSecret: "wrong" }, body: withRefresh }],
  ["broken Basic", { app: null, headers: { authorization: "Basic !!!" }, body: withRefresh }],
  ["another scheme", { app: null, headers: { authorization: "Bearer x" }, body: withRefresh }],
  [
    "a secret in the body",
    { app: null, body: { ...withRefresh, client_id: conf.clientId, client_secret: "x" } },
  ],
  ["no refresh token", { body: { grant_type: "refresh_token" } }],
  ["a hostile refresh token", { body: { grant_type: "refresh_token", refresh_token: hostile } }],
  ["another client's refresh token", { app: other, body: withRefresh }],
  ["a public client's refresh", { app: null, body: { ...withRefresh, client_id: pub.clientId } }],
  ["a wider scope", { body: { ...withRefresh, scope: "faction" } }],
  ["a hostile scope", { body: { ...withRefresh, scope: hostile } }],
  ["no code", { body: { grant_type: "authorization_code" } }],
  ["a hostile code", { body: redemption(conf, hostile) }],
  ["no redirect_uri", { body: { grant_type: "authorization_code", code } }],
  ["a hostile redirect_uri", { body: redemption(conf, code, { redirect_uri: hostile }) }],
  [
    "no verifier",
    { body: { grant_type: "authorization_code", code, redirect_uri: conf.redirectUri } },
  ],
  ["a hostile verifier", { body: redemption(conf, code, { code_verifier: hostile }) }],
  ["another client's code", { app: other, body: redemption(other, code) }],
  ["a fault of ours", { on: failing(queryFailed), body: withRefresh }],
  [
    "a database that is gone",
    { on: failing(Object.assign(new Error("x"), { code: "ECONNREFUSED" })), body: withRefresh },
  ],
  [
    "a pool that is busy",
    { on: failing(Object.assign(new Error("x"), { code: "POOL_BUSY" })), body: withRefresh },
  ],
];

describe("TK-36: an error of the token endpoint has a registered word, ASCII words for people and nothing of our insides", () => {
  test.each(errors)("%s", async (_, sent) => {
    const response = await send(sent);
    const text = await response.text();
    const said = JSON.parse(text) as { error: string; error_description: string };
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(Object.keys(said)).toEqual(["error", "error_description"]);
    expect(registered).toContain(said.error);
    // RFC 6749 section 5.2: the characters of a description.
    expect(said.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(text).not.toMatch(/at \S+:\d+|node_modules|select |Error:|drop table|<script/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("pragma")).toBe("no-cache");
    expect(response.headers.get("content-type")).toBe("application/json");
    if (response.status === 503)
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });
  test("and none of them burned the code or the refresh token", async () => {
    expect((await send({ body: redemption(conf, code) })).status).toBe(200);
    expect((await send({ body: withRefresh })).status).toBe(200);
  });
});
