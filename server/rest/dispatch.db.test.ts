import { describe, expect, test } from "vitest";
import { GrantPaused } from "#server/failures";
import { dispatchWorld, kernelWorld, rate } from "#server/testing/dispatch-world";

const { current } = await kernelWorld();

describe("every answer", () => {
  test("carries what was declared and nothing more, with exact integers (Wire rules)", async () => {
    const answer = await current.world.call("/api/v1/thing/7?limit=5&deep=TRUE&unknown=1", {
      token: "all",
    });
    expect(answer.status).toBe(200);
    const seconds = Math.floor(current.world.ctx.now().getTime() / 1_000);
    expect(answer.text).toBe(`{"id":1234567890123456789,"at":${seconds},"name":"7 5 true"}`);
  });

  test.each([
    ["/api/v1/thing/7", { token: "all" }, 200],
    ["/api/v1/thing/7", { token: "all", method: "DELETE" }, 204],
    ["/api/v1/thing/7", {}, 401],
    ["/api/v1/thing/7", { token: "none" }, 403],
    ["/api/v1/nothing", { token: "all" }, 404],
    ["/api/v1/thing/7", { token: "all", method: "PATCH" }, 405],
    ["/api/v1/thing/7", { token: "all", headers: { accept: "text/html" } }, 406],
    ["/api/v1/broken/bug", { token: "all" }, 500],
    ["/api/v1/thing/7", { method: "OPTIONS" }, 204],
  ])("%s %j: has the constant headers (ER-14, HD-07)", async (path, call, status) => {
    const { headers, ...answer } = await current.world.call(path, call);
    expect(answer.status).toBe(status);
    expect(headers.get("content-type")).toBe(status === 204 ? null : "application/json");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("access-control-expose-headers")).toContain("X-RateLimit-Remaining");
    expect(headers.get("x-request-id")).toMatch(/^[A-Za-z0-9]{22}$/);
    for (const name of ["limit", "remaining", "reset"])
      expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
    if (status >= 400)
      expect(Object.keys(answer.json as object).slice(0, 3)).toEqual(["code", "name", "message"]);
  });

  test("to a second question for a document is the text of the first", async () => {
    let written = 0;
    const documents = new Map([["/api/v1/numbered.json", () => `{"number":${++written}}`]]);
    const publishing = dispatchWorld(current.world.ctx, [], { documents });
    const texts = [
      await publishing.call("/api/v1/numbered.json"),
      await publishing.call("/api/v1/numbered.json"),
    ].map(({ text }) => text);
    expect(texts).toEqual(['{"number":1}', '{"number":1}']);
  });

  test("has a request id of its own; one that a client sends is ignored", async () => {
    const sent = { token: "all", headers: { "x-request-id": "mine" } };
    const ids = [
      await current.world.call("/api/v1/old", sent),
      await current.world.call("/api/v1/old", sent),
    ].map((answer) => answer.headers.get("x-request-id"));
    expect(new Set([...ids, "mine"]).size).toBe(3);
  });

  test("to HEAD is the answer to GET without the body", async () => {
    const got = await current.world.call("/api/v1/thing/7", { token: "all" });
    const head = await current.world.call("/api/v1/thing/7", { token: "all", method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String(got.text.length));
  });

  test("announces the end of what is deprecated", async () => {
    const { headers } = await current.world.call("/api/v1/old", { token: "all" });
    expect(headers.get("deprecation")).toBe("@1767225600");
    expect(headers.get("sunset")).toBe("Fri, 31 Dec 2027 23:59:59 GMT");
    expect(headers.get("link")).toBe(
      '<http://localhost:3000/docs/old>; rel="deprecation"; type="text/html"',
    );
  });
});

describe("the order of checks", () => {
  test.each([
    ["a dead token on an unknown path", "/api/v1/nothing", { token: "dead" }, 404, 4010],
    [
      "a dead token with a wrong method",
      "/api/v1/thing/7",
      { token: "dead", method: "PUT" },
      405,
      4011,
    ],
    [
      "a wrong method before Accept",
      "/api/v1/thing/7",
      { token: "all", method: "PUT", headers: { accept: "text/html" } },
      405,
      4011,
    ],
    [
      "Accept before the token",
      "/api/v1/thing/7",
      { token: "dead", headers: { accept: "text/html" } },
      406,
      4012,
    ],
    [
      "a dead token with a bad body",
      "/api/v1/thing/7",
      { token: "dead", method: "POST", body: "{" },
      401,
      4002,
    ],
    [
      "a missing scope before a bad body",
      "/api/v1/thing/7",
      { token: "none", method: "POST", body: "{" },
      403,
      4004,
    ],
    [
      "the type of a body before its size",
      "/api/v1/thing/7",
      {
        token: "all",
        method: "POST",
        body: "x".repeat(70_000),
        headers: { "content-type": "text/plain" },
      },
      415,
      4013,
    ],
    [
      "the size of a body before its form",
      "/api/v1/thing/7",
      { token: "all", method: "POST", body: "x".repeat(70_000) },
      413,
      4014,
    ],
  ])("%s (BR-12)", async (_, path, call, status, code) => {
    const answer = await current.world.call(path, call);
    expect([answer.status, answer.json]).toEqual([status, expect.objectContaining({ code })]);
  });

  test("a paused or suspended token is told so, after its limit and before its scopes", async () => {
    current.world.know("paused", {}, "paused");
    current.world.know("suspended", {}, "suspended");
    const paused = await current.world.call("/api/v1/thing/7", { token: "paused" });
    expect([paused.status, paused.json]).toEqual([
      403,
      expect.objectContaining({ code: GrantPaused.code }),
    ]);
    expect(rate(paused)).toEqual([6, 5, 50]);
    expect(
      (await current.world.call("/api/v1/thing/7", { token: "suspended" })).json,
    ).toMatchObject({ code: 4009 });
  });
});

describe("who may call", () => {
  test("without a token nothing but the scheme is told (BR-01)", async () => {
    const answer = await current.world.call("/api/v1/thing/7");
    expect(answer.json).toMatchObject({ code: 4001, name: "NoAuthenticationInformation" });
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="adjutant"');
  });
  test("a token in the query is not read (BR-04, BR-05)", async () => {
    expect((await current.world.call("/api/v1/thing/7?access_token=all")).status).toBe(401);
    expect(
      (await current.world.call("/api/v1/thing/7?access_token=none", { token: "all" })).status,
    ).toBe(200);
  });
  test("a dead token is invalid_token (BR-02), another scheme its own failure (BR-07)", async () => {
    const dead = await current.world.call("/api/v1/thing/7", { token: "dead" });
    expect(dead.json).toMatchObject({ code: 4002 });
    expect(dead.headers.get("www-authenticate")).toContain('error="invalid_token"');
    expect(
      (await current.world.call("/api/v1/thing/7", { headers: { authorization: "Basic YTpi" } }))
        .json,
    ).toMatchObject({
      code: 4003,
    });
  });
  test("a missing scope is named (BR-03), and the parent scope covers it", async () => {
    const answer = await current.world.call("/api/v1/thing/7", {
      token: "none",
      method: "POST",
      body: {},
    });
    expect(answer.json).toMatchObject({
      code: 4004,
      message: "The access token lacks the scope faction:banking, which this call needs.",
      details: { required: ["faction:banking"], granted: [], missing: ["faction:banking"] },
    });
    expect(answer.headers.get("www-authenticate")).toContain(
      'error="insufficient_scope", scope="faction:banking"',
    );
    expect(
      (
        await current.world.call("/api/v1/thing/7", {
          token: "all",
          method: "POST",
          body: { id: 1 },
        })
      ).status,
    ).toBe(200);
  });
  test("plain http in front of an https service is refused without a look at the token (HD-10)", async () => {
    const answer = await current.world.call("/api/v1/thing/7", {
      token: "all",
      peer: { address: "192.0.2.1", insecure: true },
    });
    expect([answer.status, current.world.lookups()]).toEqual([400, 0]);
  });
});
