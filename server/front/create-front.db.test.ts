import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { internalPeerHeader } from "#server/platform/peer-address";
import { testDatabase } from "#server/testing/database";
import { onLoopback } from "#server/testing/on-loopback";
import { sendRaw } from "#server/testing/raw-http";
import { testContext } from "#server/testing/test-context";
import { createFront } from "./create-front";

const { ctx } = await testContext({
  database: await testDatabase(),
  settings: {
    trustedProxies: ["127.0.0.1"],
    rates: { holder: 250, peer: 1_000, client: 6_000, clientFailures: 1_000 },
  },
});
let page: IncomingMessage | undefined;
const server = createFront({
  ctx,
  pages: async (request, response) => {
    page = request;
    if (request.url === "/broken") throw new Error("a page that fails");
    response.end("page");
  },
});
const port = await onLoopback(server, afterAll);

const raw = (text: string) => sendRaw(port, text);

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

function ask(path: string, { method = "GET", headers = {}, body }: Sent = {}) {
  return new Promise<{ status: number; headers: IncomingMessage["headers"]; text: string }>(
    (resolve, reject) => {
      const sent = httpRequest(
        { port, host: "127.0.0.1", path, method, headers, agent: false },
        (answer) => {
          let text = "";
          answer.on("data", (chunk) => {
            text += chunk;
          });
          answer.once("end", () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
          );
        },
      );
      sent.once("error", reject);
      sent.end(body);
    },
  );
}

const get = (path: string, headers = "") =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;

describe("the front", () => {
  test.each([
    "/api",
    "/api/",
    "/api/v1",
    "/api/v2/x",
    "/api/v1/faction",
    "/api/openapi.jsonx",
    "/api/%zz",
  ])("%s is JSON 404, whatever the method (ER-01)", async (path) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "TRACE"]) {
      const answer = await ask(path, { method });
      expect([method, answer.status, answer.headers["content-type"]]).toEqual([
        method,
        404,
        "application/json",
      ]);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 4010 });
      expect(answer.headers["x-ratelimit-limit"]).toBe("1000");
    }
  });

  test("answers the reference, metadata and health itself", async () => {
    for (const path of [
      "/api/openapi.json",
      "/.well-known/oauth-authorization-server",
      "/oauth/metadata",
      "/health/live",
      "/health/ready",
    ]) {
      const answer = await ask(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(JSON.parse(answer.text)).toBeTypeOf("object");
    }
    expect(JSON.parse((await ask("/health/ready")).text)).toMatchObject({
      status: "ready",
      limiter: { kind: "process" },
      database: { status: "ok" },
    });
  });

  test("a HEAD has the length of the GET and no body", async () => {
    const got = await ask("/api/openapi.json");
    const head = await ask("/api/openapi.json", { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers["content-length"]).toBe(got.headers["content-length"]);
  });

  test("another Host changes nothing (HD-04, MD-07)", async () => {
    const one = await ask("/.well-known/oauth-authorization-server");
    const other = await ask("/.well-known/oauth-authorization-server", {
      headers: { host: "evil.test", "x-forwarded-host": "evil.test" },
    });
    expect(other.text).toBe(one.text);
    expect((await ask("/api/openapi.json", { headers: { host: "odd one" } })).text).not.toContain(
      "odd one",
    );
  });
});

describe("pages", () => {
  test("are told the peer's true address under a name that no client can use", async () => {
    await ask("/sign-in", { headers: { [internalPeerHeader]: "203.0.113.66" } });
    expect(page?.headers[internalPeerHeader]).toBe("127.0.0.1");
    await ask("/sign-in", {
      headers: { "x-forwarded-for": "198.51.100.7", "X-Adjutant-Peer": "203.0.113.66" },
    });
    expect(page?.headers[internalPeerHeader]).toBe("198.51.100.7");
  });
  test("get the portal's own calls and the authorization endpoint", async () => {
    for (const path of [
      "/api/trpc/applications.names",
      "/oauth/authorize?x=1",
      "/consent/1",
      "/healthy",
      "/apix",
    ]) {
      expect((await ask(path)).text).toBe("page");
      expect(page?.url).toBe(path);
    }
  });
  test.each(["/consent/%zz", "/oauth/%ff/callback", "/api/trpc/%zz", "/%"])(
    "%s cannot be decoded: 400",
    async (path) => {
      page = undefined;
      const answer = await ask(path);
      expect([answer.status, page]).toEqual([400, undefined]);
      expect(JSON.parse(answer.text)).toHaveProperty("code");
    },
  );
  test.each([
    "/oauth/./token",
    "/oauth/x/../token",
    "/oauth/%2E%2e/oauth/token",
    "/oauth//token",
    "//other.test",
    "/\\other.test",
    "/consent/..",
  ])(
    "%s is no path of a page, nor another spelling of one that a program may call: 404",
    async (path) => {
      page = undefined;
      const answer = await raw(get(path, "X-Forwarded-Proto: http\r\n"));
      expect([answer.slice(0, 12), page]).toEqual(["HTTP/1.1 404", undefined]);
    },
  );
  test("methods that the portal's calls do not have end before Next sees them (ER-01)", async () => {
    for (const method of ["TRACE", "PROPFIND", "OPTIONS", "PUT"]) {
      const answer = await ask("/api/trpc/applications.names", { method });
      expect([method, answer.status, answer.headers["content-type"]]).toEqual([
        method,
        405,
        "application/json",
      ]);
      expect(answer.headers.allow).toBe("GET, HEAD, POST");
    }
  });
  test("and whatever else Next answers is not guessed at by browsers", async () => {
    expect((await ask("/sign-in/more")).headers["x-content-type-options"]).toBe("nosniff");
  });
  test("that fail are an answer, not a hanging connection", async () => {
    expect((await ask("/broken")).status).toBe(500);
  });
  test.each([
    [{ method: "POST", body: "x".repeat(300_000) }, 413],
    [{ method: "POST", headers: { "transfer-encoding": "chunked" }, body: "x=1" }, 411],
    [{ method: "PUT" }, 405],
    [{ method: "TRACE" }, 405],
  ])("refuse %j before anything reads it", async (sent, status) => {
    page = undefined;
    const answer = await ask("/sign-in/key", sent);
    expect([answer.status, page]).toEqual([status, undefined]);
    expect(JSON.parse(answer.text)).toHaveProperty("code");
  });
});

test("HD-02: under an https BASE_URL pages, files, refusals and the API tell browsers to stay with https for two years", async () => {
  const settings = {
    ...ctx.settings,
    https: true,
    baseUrl: "https://portal.test",
    trustedProxies: [],
  };
  const secure = createFront({
    ctx: { ...ctx, settings },
    pages: async (_request, response) => void response.end("page"),
  });
  const at = await onLoopback(secure, onTestFinished);
  const paths = [
    "/",
    "/sign-in",
    "/oauth/authorize",
    "/consent/%zz",
    "/api/trpc/applications.names",
    "/_next/static/x.js",
  ];
  const machine = [
    "/api/v1/user",
    "/api/nowhere",
    "/api/openapi.json",
    "/oauth/token",
    "/oauth/metadata",
    "/health/live",
  ];
  for (const path of [...paths, ...machine]) {
    const { headers } = await fetch(`http://127.0.0.1:${at}${path}`);
    expect([path, headers.get("strict-transport-security")]).toEqual([path, "max-age=63072000"]);
    const plain = await ask(path);
    expect([path, plain.headers["strict-transport-security"]]).toEqual([path, undefined]);
  }
  const socket = connect(at, "127.0.0.1", () => socket.write("no HTTP at all\r\n\r\n"));
  const [refusal] = (await once(socket, "data")) as [Buffer];
  expect(refusal.toString()).toContain("Strict-Transport-Security: max-age=63072000\r\n");
});

describe("bodies", () => {
  test("the body of a GET reaches the API (ER-07), and a large one does not", async () => {
    const headers = { "content-type": "application/json" };
    expect(
      (
        await ask("/api/v1/user", {
          headers: { ...headers, "content-length": "9" },
          body: '{"a": 12}',
        })
      ).status,
    ).toBe(401);
    const large = await ask("/api/v1/user", {
      headers: { ...headers, "content-length": "70000" },
      body: "x".repeat(70_000),
    });
    expect([large.status, large.headers.connection]).toEqual([401, "close"]);
  });
  test("a large body to the token endpoint is 413 in its own shape (DS-03)", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await ask("/oauth/token", {
      method: "POST",
      headers,
      body: "a".repeat(1_000_000),
    });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toHaveProperty("error");
  });
});

describe("what is no request", () => {
  test.each([
    [
      "a length and chunks (FZ-14)",
      "POST /api/v1/user HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    [
      "a length that is no number",
      "POST /api/v1/user HTTP/1.1\r\nHost: x\r\nContent-Length: 3x\r\n\r\nabc",
      400,
    ],
    [
      "two lengths",
      "POST /api/v1/user HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
      400,
    ],
    ["an absolute-form target", get("http://evil.test/api/v1/user"), 400],
    ["an asterisk", "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400],
    ["no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["headers of 20 KB (HD-13)", get("/api/v1/user", `Cookie: ${"a".repeat(20_000)}\r\n`), 431],
    ["an unknown expectation", get("/api/v1/user", "Expect: tea\r\n"), 417],
    ["no HTTP at all", "nonsense\r\n\r\n", 400],
    ["CONNECT", "CONNECT evil.test:443 HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["a bare line feed in a header", get("/api/v1/user", "X-A: 1\nX-B: 2\r\n"), 400],
  ])("%s is refused", async (_, text, status) => {
    const answer = await raw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^content-type: application\/json/im);
    expect(answer).toMatch(/^x-request-id: \S/im);
  });

  test("a caller who came over plain http to an https service is refused (HD-10)", async () => {
    const { status, text } = await ask("/api/v1/user", {
      headers: { "x-forwarded-proto": "http" },
    });
    expect([status, text]).toEqual([400, expect.stringContaining("https alone")]);
  });
});
