import { type Received, send } from "../support/send";
import { expect, test } from "../support/test";

const form = { "content-type": "application/x-www-form-urlencoded" };
const foreign = { origin: "https://app.test" };

/** Headers and shape of every error of the API. */
function expectApiError(answer: Received, status: number, code: number): void {
  expect(answer.headers).toMatchObject({
    "content-type": "application/json",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
    "x-ratelimit-limit": expect.stringMatching(/^\d+$/),
    "x-ratelimit-remaining": expect.stringMatching(/^\d+$/),
    "x-ratelimit-reset": expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
    "x-request-id": expect.stringMatching(/^.{16,}$/),
  });
  expect(answer.headers).not.toHaveProperty("x-powered-by");
  const body = JSON.parse(answer.text);
  expect([answer.status, body.code]).toEqual([status, code]);
  expect(
    Object.keys(body).filter((key) => !["code", "name", "message", "details"].includes(key)),
  ).toEqual([]);
}

test.describe("the API", () => {
  test("answers JSON for every path that is none (ER-01, ER-08)", async ({ product: { url } }) => {
    const nowhere = ["/api", "/api/", "/api/v1", "/api/v2/x", "/api/v1/faction"];
    for (const path of nowhere)
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
        expectApiError(await send(url, path, { method }), 404, 4010);
    const numbers = [
      "abc",
      "1.5",
      "-1",
      "0x10",
      "1e3",
      "2147483648",
      "9223372036854775808",
      "%D9%A3",
      "01",
      "",
    ];
    for (const id of numbers) expectApiError(await send(url, `/api/v1/user/${id}`), 404, 4010);
    for (const path of ["/api/v1/user/", "/api/v1//user", "/api/v1/User", "/api/V1/user"])
      expectApiError(await send(url, path), 404, 4010);
  });

  test("names the methods of a path that is asked wrongly (ER-02)", async ({
    product: { url },
  }) => {
    const { paths } = JSON.parse((await send(url, "/api/openapi.json")).text) as {
      paths: Record<string, object>;
    };
    for (const [path, methods] of Object.entries(paths)) {
      const answer = await send(url, path.replace(/\{\w+\}/g, "7001"), { method: "PATCH" });
      expectApiError(answer, 405, 4011);
      for (const method of Object.keys(methods))
        expect([path, answer.headers.allow]).toEqual([
          path,
          expect.stringContaining(method.toUpperCase()),
        ]);
    }
  });

  test("wants a live token in the header, and says what is wrong with another (BR-01, BR-02, BR-04, BR-07)", async ({
    product: { url },
    token,
  }) => {
    const call = (authorization?: string, path = "/api/v1/user", headers = {}) =>
      send(url, path, {
        headers: { ...(authorization !== undefined && { authorization }), ...headers },
      });
    const none = await call();
    expectApiError(none, 401, 4001);
    expect(none.headers["www-authenticate"]).toMatch(/^Bearer realm="[^"]+"$/);
    const dead = await call(`Bearer ${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`);
    const unknown = await call("Bearer nonsense");
    for (const answer of [dead, unknown]) {
      expectApiError(answer, 401, 4002);
      expect(answer.headers["www-authenticate"]).toContain('error="invalid_token"');
    }
    expect(dead.text).toBe(unknown.text);
    for (const scheme of ["Token x", "Basic YTpi"]) expectApiError(await call(scheme), 401, 4003);
    for (const broken of ["Bearer", "Bearer a b"])
      expect([400, 401]).toContain((await call(broken)).status);
    expectApiError(await call(undefined, `/api/v1/user?access_token=${token}`), 401, 4001);
    expectApiError(
      await call(undefined, "/api/v1/user", { cookie: `access_token=${token}` }),
      401,
      4001,
    );
    expect((await call(`bEaReR ${token}`)).status).toBe(200);
  });

  test("answers with the data of the game", async ({ product: { url }, token }) => {
    const headers = { authorization: `Bearer ${token}` };
    const read = async (path: string) => {
      const answer = await send(url, `/api/v1${path}`, { headers });
      expect([path, answer.status]).toEqual([path, 200]);
      return JSON.parse(answer.text);
    };
    expect(await read("/user")).toMatchObject({ tid: 1001, username: "Ada_Quill [1001]" });
    expect(await read("/user/1002")).toMatchObject({
      tid: 1002,
      faction: { tid: 7001, name: "Lanternwatch" },
    });
    expect((await read("/faction/crime/names")).length).toBeGreaterThan(20);
    const members = await read("/7001/members");
    expect(members.map(({ ID }: { ID: number }) => ID)).toEqual(
      expect.arrayContaining([1001, 1002, 1003]),
    );
    expect(await read("/faction/7001/members")).toEqual(members);
    // The first tick comes within a minute of the start.
    await expect
      .poll(async () => Object.keys(await read("/stocks")).length, { timeout: 90_000 })
      .toBeGreaterThan(20);
    const { paths } = JSON.parse((await send(url, "/api/openapi.json")).text);
    expect(Object.keys(paths)).toHaveLength(18);
  });

  test("reads the JSON body of a GET, up to its limit (ER-07, DS-03)", async ({
    product: { url },
    token,
  }) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const path = "/api/v1/faction/crime/names";
    expect((await send(url, path, { headers, body: '{"limit":5}' })).status).toBe(200);
    expect((await send(url, "/api/v1/user", { headers, body: "x".repeat(70_000) })).status).toBe(
      413,
    );
    const huge = { method: "POST", headers: form, body: "a".repeat(1_000_000) };
    expect((await send(url, "/oauth/token", huge)).status).toBe(413);
    expect((await send(url, "/sign-in/key", huge)).status).toBe(413);
    expect((await send(url, "/sign-in/key", { ...huge, chunked: true })).status).toBe(411);
  });

  test("does not take the portal's session, nor the portal a token (BR-14)", async ({
    page,
    product: { url },
    token,
  }) => {
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Edda_Drift" }).click();
    await page.waitForURL((each) => each.pathname !== "/sign-in");
    const cookies = (await page.context().cookies())
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    expectApiError(await send(url, "/api/v1/user", { headers: { cookie: cookies } }), 401, 4001);
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    expect((await send(url, "/api/trpc/applications.names", bearer)).status).toBe(401);
  });
});

test.describe("the provider", () => {
  test("answers clients that offer another protocol, pages asked before or not", async ({
    product: { url },
  }) => {
    await send(url, "/sign-in");
    const offers: Record<string, string>[] = [
      {
        connection: "Upgrade, HTTP2-Settings",
        upgrade: "h2c",
        "http2-settings": "AAMAAABkAARAAAAAAAIAAAAA",
      },
      {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "AAAA",
      },
    ];
    for (const headers of offers) {
      expect((await send(url, "/api/v1/user", { headers })).status).toBe(401);
      expect((await send(url, "/sign-in", { headers })).status).toBe(200);
      expect((await send(url, "/_next/webpack-hmr", { headers })).status).toBe(404);
    }
  });

  test("describes itself, and has no registration endpoint (MD-01, MD-02)", async ({
    product: { url },
  }) => {
    const answer = await send(url, "/.well-known/oauth-authorization-server");
    expect(answer.headers["content-type"]).toBe("application/json");
    const metadata = JSON.parse(answer.text);
    expect(metadata).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
    expect(metadata.scopes_supported).toHaveLength(6);
    expect(metadata).not.toHaveProperty("registration_endpoint");
    for (const path of ["/oauth/register", "/register", "/.well-known/openid-configuration"])
      expect([path, (await send(url, path)).status]).toEqual([path, 404]);
  });

  test("takes tokens by POST of a form alone, never from the query (TK-04, TK-05)", async ({
    product: { url },
  }) => {
    for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/introspect"])
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = await send(url, path, { method });
        expect([path, answer.status, answer.headers.allow]).toEqual([path, 405, "POST"]);
        expect(JSON.parse(answer.text)).toHaveProperty("error");
      }
    const grant = "grant_type=authorization_code&code=x&client_id=y";
    const inQuery = await send(url, `/oauth/token?${grant}`, {
      method: "POST",
      headers: form,
      body: "",
    });
    expect([inQuery.status, JSON.parse(inQuery.text).error]).toEqual([400, "invalid_request"]);
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x"]) {
      const answer = await send(url, "/oauth/token", {
        method: "POST",
        headers: { "content-type": type },
        body: grant,
      });
      expect([400, 415]).toContain(answer.status);
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
  });

  test("sends nobody anywhere that the address bar or a header names (HD-04)", async ({
    product: { url },
  }) => {
    const evil = {
      host: "evil.test",
      "x-forwarded-host": "evil.test",
      "x-forwarded-proto": "https",
    };
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/oauth/metadata",
      "/api/openapi.json",
    ])
      expect((await send(url, path, { headers: evil })).text).toBe((await send(url, path)).text);
    for (const path of [
      "/developers",
      "/sign-in",
      "/oauth/authorize",
      "/consent/x",
      "//evil.test/x",
      "/\\evil.test",
    ]) {
      const { status, headers, text } = await send(url, path, { headers: evil });
      expect(status, path).toBeLessThan(500);
      expect(headers.location ?? "/", path).toMatch(new RegExp(`^(/(?![/\\\\])|${url}/)`));
      expect(text, path).not.toMatch(/\/\/evil\.test/);
    }
    expect((await send(url, "http://evil.test/api/v1/user")).status).toBe(400);
    expect((await send(url, "http://evil.test/sign-in")).status).toBe(400);
  });

  test("lets scripts of other sites use the API and the tokens, and nothing else (HD-07, HD-09)", async ({
    product: { url },
  }) => {
    const preflight = { ...foreign, "access-control-request-method": "POST" };
    for (const path of [
      "/api/v1/user",
      "/oauth/token",
      "/oauth/revoke",
      "/.well-known/oauth-authorization-server",
    ]) {
      const asked = await send(url, path, { method: "OPTIONS", headers: preflight });
      expect([path, asked.status, asked.headers["access-control-allow-origin"]]).toEqual([
        path,
        204,
        "*",
      ]);
      expect(asked.headers["access-control-allow-headers"]).toContain("Authorization");
      expect(asked.headers["access-control-max-age"]).toBe("600");
      const { headers } = await send(url, path, { headers: foreign });
      expect(headers["access-control-allow-origin"]).toBe("*");
      expect(headers["access-control-expose-headers"]).toContain("WWW-Authenticate");
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
    }
    for (const path of [
      "/oauth/authorize",
      "/sign-in",
      "/developers",
      "/api/trpc/applications.names",
    ])
      for (const method of ["GET", "OPTIONS"]) {
        const { headers } = await send(url, path, { method, headers: preflight });
        expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual(
          [],
        );
      }
  });
});

test.describe("pages", () => {
  test("carry the headers that protect them (HD-01, HD-03, AZ-36)", async ({
    product: { url },
  }) => {
    for (const path of [
      "/",
      "/sign-in",
      "/docs",
      "/nowhere",
      "/oauth/authorize",
      "/consent/x",
      "/account",
    ]) {
      const { headers } = await send(url, path);
      const policy = headers["content-security-policy"];
      expect(policy, path).toContain("frame-ancestors 'none'");
      expect(policy, path).toContain("base-uri 'none'");
      expect(policy, path).toMatch(/object-src 'none'|default-src 'none'/);
      expect(policy, path).not.toMatch(/unsafe-(inline|eval)/);
      expect(headers, path).toMatchObject({
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": expect.stringMatching(
          /^(no-referrer|same-origin|strict-origin-when-cross-origin)$/,
        ),
        // These two are the same for all visitors without a session.
        "cache-control": ["/", "/docs"].includes(path)
          ? "private, no-cache"
          : expect.stringContaining("no-store"),
      });
      expect(headers, path).not.toHaveProperty("x-powered-by");
      // A form there may end at any client, and a pop-up keeps its opener.
      const endsAtClient = /^\/(?:sign-in|oauth|consent)/.test(path);
      expect(headers["cross-origin-opener-policy"], path).toBe(
        endsAtClient ? undefined : "same-origin",
      );
      expect(policy?.includes("form-action"), path).toBe(!endsAtClient);
    }
    const nonces = await Promise.all(
      ["/sign-in", "/sign-in"].map(
        async (path) => (await send(url, path)).headers["content-security-policy"],
      ),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  test("are not posted to, and their form targets are not read (405)", async ({
    product: { url },
  }) => {
    for (const path of [
      "/",
      "/sign-in",
      "/docs",
      "/developers",
      "/account/apps",
      "/oauth/authorize",
    ]) {
      const answer = await send(url, path, { method: "POST", headers: form, body: "a=b" });
      expect([path, answer.status]).toEqual([path, 405]);
      expect(answer.headers.allow).toContain("GET");
    }
    for (const path of ["/sign-in/key", "/sign-out", "/account/apps/revoke", "/consent/x/decision"])
      expect([path, (await send(url, path)).status]).toEqual([path, 405]);
  });

  test("do not include what lies beside them on the disk (SC-07)", async ({ product: { url } }) => {
    const page = (await send(url, "/")).text;
    const script = /\/_next\/static\/chunks\/[^"]+\.js/.exec(page)?.[0] ?? "";
    expect((await send(url, script)).status).toBe(200);
    const files = [
      "/.env",
      "/.git/config",
      "/.git/HEAD",
      "/package.json",
      "/server/main.ts",
      "/dist/server.js",
    ];
    for (const path of [
      ...files,
      "/.data/",
      "/.next/BUILD_ID",
      `${script}.map`,
      "/..%2f..%2fetc/passwd",
      "/%2e%2e/package.json",
    ]) {
      const answer = await send(url, path);
      expect([400, 404], path).toContain(answer.status);
      expect(answer.text, path).not.toContain('"dependencies"');
    }
  });

  test("bear cookies of any kind (HD-13)", async ({ product: { url } }) => {
    const hundred = Array.from({ length: 100 }, (_, index) => `c${index}=${index}`).join("; ");
    for (const cookie of [
      hundred,
      `adjutant_session=${"x".repeat(5_000)}`,
      "adjutant_session=%00; =; ;;",
      "\u00e9=\u00e9",
    ])
      expect((await send(url, "/account", { headers: { cookie } })).status).toBe(307);
    expect((await send(url, "/account", { headers: { cookie: "x".repeat(20_000) } })).status).toBe(
      431,
    );
  });
});

test("the processes that watch the product are told how it is", async ({ product: { url } }) => {
  expect(JSON.parse((await send(url, "/health/live")).text)).toMatchObject({ status: "live" });
  expect(JSON.parse((await send(url, "/health/ready")).text)).toMatchObject({
    status: "ready",
    database: { kind: "pglite", status: "ok" },
    game: { status: "ok" },
  });
  for (const path of ["/favicon.ico", "/icon.svg", "/apple-icon.png", "/robots.txt"])
    expect([path, (await send(url, path)).status]).toEqual([path, 200]);
});
