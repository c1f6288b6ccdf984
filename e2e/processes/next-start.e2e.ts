import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "playwright/test";
import { sendRaw } from "#server/testing/raw-http";
import { type NextServer, startNext } from "../support/next-server";

let next: NextServer;
let port = 0;
let folder = "";

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "adjutant-next-"));
  next = await startNext({
    ...{ DATA_DIR: folder, JOBS: "off" },
    ...{ TRUSTED_PLATFORM_HEADER: "X-Platform-For", RATE_AUTHORIZE: "3" },
  });
  ({ port } = next);
});
test.afterAll(async () => {
  next.stop();
  await rm(folder, { recursive: true, force: true });
});

const say = (line: string, headers = "", body = "") =>
  sendRaw(
    port,
    `${line} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n${headers}\r\n${body}`,
  );
const statusOf = (said: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1]);
const jsonOf = (said: string) =>
  JSON.parse(/\{.*\}/s.exec(said)?.[0] ?? "null") as { code: number };

test("says once at its start which limits it leaves to the platform, and whose word on addresses it takes", () => {
  const lines = next
    .output()
    .split("\n")
    .filter((line) => line.includes("without the production server"));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    addressFrom: "x-platform-for",
    bodyOfGet: "not read",
  });
});

test("methods that no route has are 405, and none is 500", async () => {
  for (const method of ["TRACE", "TRACK", "PROPFIND", "LOCK", "SEARCH"])
    for (const at of [
      "/",
      "/sign-in",
      "/api/v1/user",
      "/oauth/token",
      "/oauth/authorize",
      "/api/trpc/x",
      "/health/live",
    ]) {
      const said = await say(`${method} ${at}`);
      // The parser itself does not know TRACK.
      expect([method, at, statusOf(said)]).toEqual([method, at, method === "TRACK" ? 400 : 405]);
      if (method !== "TRACK") expect(jsonOf(said).code).toBe(4011);
    }
});

test("a page has its security headers and an id of ours, also for who claims to be the production front", async () => {
  for (const claim of [
    "",
    "x-adjutant-request: 0123456789abcdefghijkl\r\nx-adjutant-shared-page: 1\r\n",
  ]) {
    const said = await say("GET /sign-in", claim);
    expect([claim, statusOf(said)]).toEqual([claim, 200]);
    const [, nonce = ""] = /\r\ncontent-security-policy: [^\r]*'nonce-([^']+)'/i.exec(said) ?? [];
    expect(nonce).toMatch(/^[\w+/]{22}==$/);
    expect(said).toContain(`nonce="${nonce}"`);
    expect(said).toMatch(/\r\nx-request-id: (?!0123456789abcdefghijkl)\w{22}\r\n/i);
  }
});

test("an absolute target and another host lead nowhere", async () => {
  for (const target of [
    "http://evil.test/sign-in",
    "http://evil.test//x",
    "https://evil.test/api/v1/user",
    "*",
  ])
    expect([
      target,
      statusOf(await say(`OPTIONS ${target}`)),
      statusOf(await say(`GET ${target}`)),
    ]).toEqual([...[target, 400, 400]]);
  for (const at of ["//evil.test/x", "/\\evil.test", "/x//evil.test"]) {
    const said = await say(`GET ${at}`);
    expect([at, statusOf(said), /\r\nlocation:/i.test(said)]).toEqual([at, 404, false]);
  }
  for (const at of [
    "/",
    "/sign-in",
    "/api/v1/user",
    "/oauth/token",
    "/oauth/authorize",
    "/oauth/metadata",
    "/api/trpc/x",
  ]) {
    const said = await sendRaw(
      port,
      `GET ${at} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`,
    );
    expect([at, statusOf(said), said.includes("evil.test")]).toEqual([at, 421, false]);
  }
  const health = await sendRaw(
    port,
    "GET /health/live HTTP/1.1\r\nHost: 10.0.0.1\r\nConnection: close\r\n\r\n",
  );
  expect(statusOf(health)).toBe(200);
});

test("what programs ask for and nobody answers is JSON 404 with CORS, in any spelling", async () => {
  for (const at of [
    ...[
      "/.well-known/openid-configuration",
      "/.well-known/oauth-authorization-server/x",
      "/.well-known/jwks.json",
    ],
    ...[
      "/API/v1/user",
      "/api%2fv1/user",
      "/%61pi/v1/user",
      "/api/v1/%zz",
      "/api/nowhere",
      "/oauth/token/",
      "/Api",
    ],
  ]) {
    const said = await say(`GET ${at}`);
    expect([at, statusOf(said), jsonOf(said).code]).toEqual([at, 404, 4010]);
    if (!at.includes("%zz")) expect(said).toMatch(/\r\naccess-control-allow-origin: \*\r\n/i);
  }
  expect(statusOf(await say("GET /.well-known/oauth-authorization-server"))).toBe(200);
});

test("an empty body needs no type and no length; a page's body needs its length", async () => {
  for (const headers of ["", "Content-Length: 0\r\n", "Content-Type: application/json\r\n"])
    expect(jsonOf(await say("POST /api/v1/stat/chain-list", headers)).code).toBe(4001);
  const chunked =
    "Transfer-Encoding: chunked\r\nContent-Type: application/x-www-form-urlencoded\r\n";
  expect(statusOf(await say("POST /sign-in/key", chunked, "0\r\n\r\n"))).toBe(411);
  expect(statusOf(await say("GET /consent/%zz"))).toBe(400);
});

test("limits by address count each address that the platform names, and no header of another name", async () => {
  const from = (address: string, name = "X-Platform-For") =>
    say("GET /oauth/authorize?client_id=x", `${name}: ${address}\r\n`).then(statusOf);
  const many = async (address: string) => {
    const seen: number[] = [];
    for (let call = 0; call < 5; call++) seen.push(await from(address));
    return seen;
  };
  // Rate limit windows are clock minutes: if one ends in between, the second try meets it.
  await expect(async () => {
    const first = await many("203.0.113.1");
    expect(first.slice(-1)).toEqual([429]);
    expect(await from("203.0.113.2")).toBe(400);
    await many("203.0.113.99, 203.0.113.1");
    expect((await many("not an address")).slice(-1)).toEqual([429]);
    expect(await from("203.0.113.3", "X-Forwarded-For")).toBe(429);
    expect(await from("203.0.113.4", "X-Adjutant-Peer")).toBe(429);
    expect(await from("203.0.113.5")).toBe(400);
  }).toPass();
});
