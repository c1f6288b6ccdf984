import { once } from "node:events";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { internalRequestIdHeader } from "#server/platform/peer-address";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { onLoopback } from "#server/testing/on-loopback";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { createFront } from "./create-front";
import type { PageHandler } from "./shared-pages";

const database = await testDatabase();
const given = "0f9f2f5e-6a3b-4a7e-9d53-2c1b8f6d7e90";
const ours = /^[0-9A-Za-z]{22}$/;

/** A front with pages that answer with their request id. */
async function open(trustedProxies: readonly string[]) {
  const { ctx, log } = await testContext({
    database,
    settings: { trustedProxies, accessLog: true },
  });
  const pages: PageHandler = async ({ headers }, response) => {
    response.end(String(headers[internalRequestIdHeader]));
  };
  const routeOf = (pathname: string) =>
    pathname.startsWith("/consent/") ? "/consent/[requestId]" : "unmatched";
  const server = createFront({ ctx, pages, routeOf });
  const url = `http://127.0.0.1:${await onLoopback(server, afterAll)}`;
  const lines = () =>
    log.lines.filter(({ message }) => message === "request").map(({ fields }) => fields);
  return { ctx, url, server, log, lines };
}

const behindProxy = await open(["127.0.0.1"]);
const inPublic = await open([]);
beforeEach(() => {
  for (const { log } of [behindProxy, inPublic]) log.lines.length = 0;
});

const idOf = async (url: string, path: string, requestId: string, method = "GET") =>
  (await fetch(url + path, { method, headers: { "x-request-id": requestId } })).headers.get(
    "x-request-id",
  );
const machinePaths = [
  ["/api/v1/user", "GET"],
  ["/api/v1/nothing", "GET"],
  ["/api/openapi.json", "GET"],
  ["/oauth/token", "POST"],
  ["/oauth/metadata", "GET"],
  ["/health/ready", "GET"],
  ["/health/live", "GET"],
] as const;

test.each(machinePaths)(
  "%s: an inbound request id counts from a trusted proxy alone",
  async (path, method) => {
    expect(await idOf(behindProxy.url, path, given, method)).toBe(given);
    expect(await idOf(inPublic.url, path, given, method)).toMatch(ours);
  },
);

test("so it does for pages, over what a client says to be ours", async () => {
  const headers = { "x-request-id": given, [internalRequestIdHeader]: "made-up-by-a-client" };
  expect(await (await fetch(`${behindProxy.url}/sign-in`, { headers })).text()).toBe(given);
  expect(await (await fetch(`${inPublic.url}/sign-in`, { headers })).text()).toMatch(ours);
});

test.each([
  "short",
  "x".repeat(65),
  "with a space inside it",
  '{"quoted":"0123456789"}',
  "\u00e9".repeat(20),
])("an id that has not the form of one is not taken over: %s", async (sent) => {
  expect(await idOf(behindProxy.url, "/api/v1/user", sent)).toMatch(ours);
});

test("each request is one line, without query, address, path parameter or token", async () => {
  const { ctx, url, lines, server, log } = behindProxy;
  const owner = await mintUser(ctx);
  const application = await mintApplication(ctx, owner);
  const { access_token } = await mintTokens(ctx, application, { user: owner });
  log.lines.length = 0;
  const headers = { authorization: `Bearer ${access_token}`, "x-request-id": given };
  await fetch(`${url}/api/v1/user/${owner.playerId}?secret=1`, { headers });
  const body = new URLSearchParams({
    grant_type: "refresh_token",
    client_id: application.clientId,
  });
  await fetch(`${url}/oauth/token`, { method: "POST", body });
  const closed = once(server, "request").then(([, response]) => once(response, "close"));
  await fetch(`${url}/consent/0f9f2f5e?secret=1`, { headers: { "x-request-id": given } });
  await closed;
  const { clientId } = application;
  const micros = expect.any(Number);
  expect(lines()).toEqual([
    {
      requestId: given,
      method: "GET",
      route: "/api/v1/user/<int:user_id>",
      status: 200,
      clientId,
      micros,
    },
    {
      requestId: expect.stringMatching(ours),
      method: "POST",
      route: "/oauth/token",
      status: 401,
      clientId,
      micros,
    },
    {
      requestId: given,
      method: "GET",
      route: "/consent/[requestId]",
      status: 200,
      clientId: null,
      micros,
    },
  ]);
});

test("a line of a call that failed has the same id", async () => {
  const { ctx } = behindProxy;
  const authenticate = () => Promise.reject(new Error("a fault of ours"));
  const broken = { ...ctx, tokens: { ...ctx.tokens, authenticate } };
  const server = createFront({ ctx: broken, pages: async () => {} });
  const url = `http://127.0.0.1:${await onLoopback(server, onTestFinished)}`;
  const headers = { authorization: "Bearer adj_at_x", "x-request-id": given };
  expect((await fetch(`${url}/api/v1/user`, { headers })).status).toBe(500);
  const failed = behindProxy.log.lines.filter(({ level }) => level === "error");
  expect(failed).toMatchObject([{ fields: { requestId: given } }]);
});
