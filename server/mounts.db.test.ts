import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { unstable_doesMiddlewareMatch as passesProxy } from "next/experimental/testing/server";
import { NextRequest } from "next/server";
import { afterAll, expect, test, vi } from "vitest";
import * as anyApiRoute from "#app/api/[[...rest]]/route";
import * as referenceRoute from "#app/api/openapi.json/route";
import * as apiRoute from "#app/api/v1/[[...path]]/route";
import * as interactionsRoute from "#app/chat/interactions/route";
import * as cronRoute from "#app/cron/jobs/route";
import * as boardStreamRoute from "#app/faction/events/route";
import * as healthRoute from "#app/health/[probe]/route";
import * as introspectRoute from "#app/oauth/introspect/route";
import * as metadataRoute from "#app/oauth/metadata/route";
import * as revokeRoute from "#app/oauth/revoke/route";
import * as tokenRoute from "#app/oauth/token/route";
import { config, proxy } from "../proxy";
import type { Context } from "./context";
import { createFront } from "./front/create-front";
import { testDatabase } from "./testing/database";
import { liveToken } from "./testing/live-token";
import { onLoopback } from "./testing/on-loopback";
import { shareContext } from "./testing/plain-browser";
import { testContext } from "./testing/test-context";

/**
 * The same requests through both mounts: the production front over HTTP, and the functions that
 * Next calls. This file lists all allowed differences.
 */
const allowedDifferences = {
  /** Of the transport, or new in every answer. */
  headers: [
    "date",
    "connection",
    "keep-alive",
    "transfer-encoding",
    "content-length",
    "x-request-id",
  ],
  /** Next drops the body of a GET, and a route handler cannot know the peer's address. */
  notCompared: ["a body with GET", "windows of the peer"],
};

// The test runner has a BASE_URL in its environment, and the proxy reads it.
vi.stubEnv("BASE_URL", "http://localhost:3000");
afterAll(() => void vi.unstubAllEnvs());

const { ctx } = await testContext({
  database: await testDatabase(),
  settings: { rates: { holder: 250, peer: 250, client: 6_000, clientFailures: 20 } },
});
const actor = {
  kind: "token",
  playerId: 1,
  consentId: ctx.ids.uuid(),
  grantId: ctx.ids.uuid(),
  scopes: ["identity", "faction"],
  clientId: "client",
} as const;
/** One account per mount, so that both have the same calls left. */
const accounts = new Map([
  ["by-front", ctx.ids.uuid()],
  ["by-next", ctx.ids.uuid()],
]);
const known: Context = {
  ...ctx,
  tokens: {
    ...ctx.tokens,
    authenticate: async (token) => {
      const accountId = accounts.get(token);
      return accountId === undefined ? undefined : liveToken(ctx, { ...actor, accountId });
    },
  },
};
afterAll(shareContext(known));

const server = createFront({ ctx: known, pages: async () => {} });
const port = await onLoopback(server, afterAll);

type Handlers = Record<string, unknown>;
/** As in Next: the longest path first. */
const nextRoutes: [string, Handlers][] = [
  ["/api/openapi.json", referenceRoute],
  ["/api/v1", apiRoute],
  ["/api", anyApiRoute],
  ["/health/", healthRoute],
  ["/oauth/token", tokenRoute],
  ["/oauth/revoke", revokeRoute],
  ["/oauth/introspect", introspectRoute],
  ["/oauth/metadata", metadataRoute],
  ["/chat/interactions", interactionsRoute],
  ["/cron/jobs", cronRoute],
  ["/faction/events", boardStreamRoute],
];

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly token?: boolean;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}
interface Seen {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

const comparable = (headers: Iterable<[string, string]>) =>
  Object.fromEntries(
    [...headers].filter(([name]) => !allowedDifferences.headers.includes(name)).sort(),
  );

const headersOf = ({ headers, token }: Sent, bearer: string) => ({
  ...headers,
  ...(token ? { authorization: `Bearer ${bearer}` } : {}),
});

function throughFront(sent: Sent): Promise<Seen> {
  const { path, method = "GET", body } = sent;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const headers = { ...length, ...headersOf(sent, "by-front") };
    const request = httpRequest({ port, path, method, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.once("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: comparable(flat(answer.headers)),
          text,
        }),
      );
    });
    request.once("error", reject).end(body);
  });
}

const flat = (headers: IncomingHttpHeaders) =>
  Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);

const rewritten = /^https?:\/\/[^/]+(.*)$/;
const proxyOf = (path: string): string => {
  const url = `http://localhost:3000${path}`;
  if (!passesProxy({ config, nextConfig: {}, url: path })) return "";
  return proxy(new NextRequest(url)).headers.get("x-middleware-rewrite") ?? "";
};

async function throughNext(sent: Sent): Promise<Seen> {
  const { method = "GET", body } = sent;
  // Next answers the proxy's requests under the rewritten path.
  const [, path = sent.path] = rewritten.exec(proxyOf(sent.path)) ?? [];
  const [, handlers] = nextRoutes.find(([prefix]) => path.startsWith(prefix)) ?? [];
  const handler = handlers?.[method];
  if (typeof handler !== "function") throw new Error(`Next has no ${method} handler for ${path}.`);
  const request = new Request(`http://localhost:3000${path}`, {
    method,
    headers: headersOf(sent, "by-next"),
    body,
  });
  const answer: unknown = await handler(request);
  // Next checks the class of the response; a look-alike would be a 500.
  expect(Object.getPrototypeOf(answer)).toBe(Response.prototype);
  const response = answer as Response;
  return {
    status: response.status,
    headers: comparable(response.headers),
    text: await response.text(),
  };
}

const json = { "content-type": "application/json" };
const banking = "/api/v1/faction/7001/banking";
const chainList = "/api/v1/stat/chain-list";
const form = { "content-type": "application/x-www-form-urlencoded" };
const preflight = { origin: "https://app.test", "access-control-request-method": "GET" };
/** Spellings that programs request but we do not serve. */
const otherSpellings = [
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server/x",
  "/.well-known/oauth-protected-resource",
  "/.well-known/jwks.json",
  "/.well-known/",
  "/API/v1/user",
  "/Api",
  "/api%2fv1/user",
  "/api%252fv1/user",
  "/%61pi/v1/user",
  "/API/trpc/session.current",
  "/oauth/token/",
  "/OAUTH/TOKEN",
  "/oauth/%74oken",
  "/Health/live",
];
const cases: Sent[] = [
  { path: "/api/v1/user" },
  { path: "/api/v1/user", token: true },
  { path: "/api/v1/user", token: true, method: "HEAD" },
  { path: "/api/v1/user", method: "POST", token: true, headers: json, body: "{}" },
  {
    path: "/api/v1/user",
    method: "OPTIONS",
    headers: preflight,
  },
  { path: "/api/v1/user", token: true, headers: { accept: "text/html" } },
  { path: "/api/v1/user", headers: { authorization: "Basic YTpi" } },
  { path: "/api/v1/user/2147483648", token: true },
  { path: "/api/v1/user/7?refresh=maybe", token: true },
  { path: "/api/v1/user/7?refresh=true", token: true },
  { path: "/api/v1/faction/crime/names", token: true },
  { path: "/api/v1/faction/positions", token: true },
  { path: "/api/v1/faction/7001/attacks/retaliations", token: true },
  { path: "/api/v1/faction/7001/crime/delays?limit=2&before=5", token: true },
  { path: "/api/v1/faction/7001/members", token: true, headers: { "if-none-match": "*" } },
  { path: "/api/v1/7001/members/", token: true },
  { path: "/api/v1/%zz", token: true },
  { path: "/api/v1/stocks", token: true },
  { path: "/api/v1/stocks/benefits", token: true, headers: { "if-none-match": "*" } },
  { path: "/api/v1/stocks/movers", token: true, method: "HEAD" },
  { path: "/api/v1/user/estimate/7", token: true },
  { path: "/api/v1/user/7/stat", token: true },
  { path: "/api/v1/faction/banking/vault", token: true },
  {
    path: "/api/v1/faction/banking/vault",
    method: "PATCH",
    token: true,
    headers: json,
    body: "{}",
  },
  { path: `${banking}?limit=0&limit=1&scope=x&before=-1`, token: true },
  { path: banking, token: true },
  {
    path: banking,
    method: "POST",
    token: true,
    headers: json,
    body: '{"amount":"1m","type":"money_balance"}',
  },
  {
    path: banking,
    method: "POST",
    token: true,
    headers: json,
    body: '{"amount":9007199254740993,"type":["x"]}',
  },
  { path: banking, method: "POST", token: true, headers: json, body: '{"amount":' },
  {
    path: banking,
    method: "POST",
    token: true,
    headers: { ...json, "idempotency-key": "a b" },
    body: "{}",
  },
  { path: banking, method: "POST", token: true, headers: form, body: "amount=1" },
  { path: banking, method: "POST", token: true },
  { path: banking, method: "POST", token: true, headers: json, body: `"${"x".repeat(66_000)}"` },
  { path: banking, method: "PUT", token: true, headers: json, body: "{}" },
  { path: `${banking}/1`, method: "DELETE", token: true },
  { path: `${banking}/%00`, method: "DELETE", token: true },
  { path: `${banking}/%F0%9F%92%B8`, method: "DELETE", token: true },
  { path: `${banking}/1`, token: true },
  { path: chainList, method: "POST", token: true },
  {
    path: chainList,
    method: "POST",
    token: true,
    headers: json,
    body: '{"limit":1e309,"sort_order":"respect"}',
  },
  { path: chainList, method: "POST", token: true, headers: json, body: "\ufeff{}" },
  { path: chainList, token: true },
  ...["abc", "1.5", "-1", "0x10", "1e3", "2147483648", "9223372036854775808", "%D9%A3", "0"].map(
    (id) => ({
      path: `/api/v1/user/${id}`,
      token: true,
    }),
  ),
  ...["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"].flatMap((method) =>
    ["/api/", "/api/v1/", "/api/v1/faction", "/api/v2/x"].map((path) => ({
      path,
      method,
      token: true,
    })),
  ),
  { path: "/api/v2/user", method: "DELETE" },
  ...otherSpellings.flatMap((path) => [
    { path },
    { path, token: true },
    { path, method: "POST", token: true },
  ]),
  { path: "/.well-known/openid-configuration", method: "OPTIONS", headers: preflight },
  { path: "/API/v1/user", method: "HEAD" },
  ...["GET", "HEAD"].map((method) => ({ path: "/api/openapi.json", method })),
  { path: "/api/openapi.json", method: "POST", headers: json, body: "{}" },
  { path: "/cron/jobs", headers: { authorization: "Bearer of-somebody" } },
  { path: "/chat/interactions", method: "POST", headers: json, body: '{"type":1}' },
  ...[
    "/api/v1",
    "/api",
    "/api/asyncapi.json",
    "/faction/events",
    "/health/live",
    "/health/ready",
    "/health/other",
  ].map((path) => ({
    path,
  })),
  { path: "/health/live", method: "POST" },
  { path: "/oauth/metadata" },
  { path: "/oauth/metadata", method: "OPTIONS" },
  { path: "/oauth/metadata", method: "POST" },
  { path: "/oauth/token", method: "POST", headers: form, body: "" },
  { path: "/oauth/token", method: "POST", headers: form, body: "grant_type=password" },
  { path: "/oauth/token", method: "POST", headers: json, body: "{}" },
  { path: "/oauth/token", method: "POST", headers: form, body: "a".repeat(20_000) },
  { path: "/oauth/token", method: "GET" },
  { path: "/oauth/token", method: "OPTIONS" },
  { path: "/oauth/revoke", method: "POST", headers: form, body: "token=x" },
  { path: "/oauth/introspect", method: "POST", headers: form, body: "token=x" },
];

test.each(cases)("both mounts answer alike: $method $path $headers", async (sent) => {
  const [front, next] = [await throughFront(sent), await throughNext(sent)];
  expect(next).toEqual(front);
});

test.each(otherSpellings)(
  "on both mounts %s is the API's JSON 404, readable by scripts on other sites",
  async (path) => {
    for (const { status, headers, text } of [
      await throughFront({ path }),
      await throughNext({ path }),
    ]) {
      expect([status, headers["content-type"], headers["access-control-allow-origin"]]).toEqual([
        404,
        "application/json",
        "*",
      ]);
      expect(JSON.parse(text)).toMatchObject({ code: 4010, name: "EndpointNotFound" });
    }
  },
);

test.each(cases.filter(({ path, method }) => path.startsWith("/api") && method !== "OPTIONS"))(
  "ER-01, ER-02, ER-08, ER-14: on both mounts an answer is JSON with its limits, and a failure has the one shape: $method $path",
  async (sent) => {
    for (const { status, headers, text } of [await throughFront(sent), await throughNext(sent)]) {
      expect(status).toBeLessThan(500);
      expect(headers["x-ratelimit-limit"]).toMatch(/^\d+$/);
      expect([headers["x-content-type-options"], headers["access-control-allow-origin"]]).toEqual([
        "nosniff",
        "*",
      ]);
      if (status === 405) expect(headers.allow).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
      if (status === 204 || status === 304 || sent.method === "HEAD") continue;
      expect(headers["content-type"]).toBe("application/json");
      if (status < 400) continue;
      const failure: unknown = JSON.parse(text);
      expect(failure).toMatchObject({
        code: expect.any(Number),
        name: expect.any(String),
        message: expect.any(String),
      });
      const fields = Object.keys(failure as object).filter((field) => field !== "details");
      expect(fields).toEqual(["code", "name", "message"]);
      const { details = { message: "" } } = failure as { details?: unknown };
      expect(details).toHaveProperty("message", expect.any(String));
    }
  },
);
