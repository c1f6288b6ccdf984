import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { applications, authorizationRequests } from "#db/schema/oauth";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  mintApplication,
  mintTokens,
  requestIdOf,
  type TestApplication,
  TestBrowser,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { deleteApplication } from "../clients/application-acts";
import { serverMetadata } from "../http";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const owner = await mintUser(ctx);
const conf = await mintApplication(ctx, owner, {
  redirectUris: [
    "https://client.test/cb",
    "https://client.test/cb?tenant=a%2Fb",
    "https://client.test/cb?",
  ],
});
const pub = await mintApplication(ctx, owner, { kind: "public", redirectUris: [] });
const issuer = serverMetadata(ctx.settings.baseUrl).issuer;

/** A minute of its own, so that the address has unused windows. */
function newBrowser(): TestBrowser {
  clock.advance(60);
  return new TestBrowser(ctx);
}

/**
 * Opens the endpoint in a new browser: with changed fields (empty text removes one), or with a
 * query.
 */
async function go(app: TestApplication, differing: Record<string, string> | string = {}) {
  if (typeof differing === "string") return newBrowser().authorize(differing);
  const sound = authorizationQuery(app, differing);
  return newBrowser().authorize(
    Object.fromEntries(Object.entries(sound).filter(([, value]) => value !== "")),
  );
}

/** A sound query with a suffix. */
const queryOf = (app: TestApplication, more: string) =>
  `${new URLSearchParams(authorizationQuery(app))}${more}`;
const pending = () => ctx.database.query.$count(authorizationRequests);

/** The page without the request's id and the link with it. */
const ownText = (page: string) =>
  page
    .replace(/<code>[^<]+<\/code>/, "")
    .replace(/href="\/developers\/doctor\?ask=[\w%.*+-]+"/, "");

async function expectPage400(response: Response): Promise<string> {
  expect(response.status).toBe(400);
  expect(response.headers.get("location")).toBeNull();
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-frame-options")).toBe("DENY");
  expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  return response.text();
}

function expectRefusal(
  response: Response,
  error: string,
  app: TestApplication = conf,
  state: string | null = "xyz",
) {
  expect(response.status).toBe(303);
  const location = new URL(response.headers.get("location") ?? "");
  expect(location.href.startsWith(`${app.redirectUri}?`)).toBe(true);
  expect(location.hash).toBe("");
  expect(location.searchParams.get("error")).toBe(error);
  expect(location.searchParams.get("error_description")).toMatch(/^[\x20-\x7e]+$/);
  expect(location.searchParams.get("state")).toBe(state);
  expect(location.searchParams.get("iss")).toBe(issuer);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
}

describe("phase 1: a page, and never a redirect", () => {
  test("AZ-01 AZ-03 AZ-04: without a known client and one of its redirect URIs", async () => {
    await expectPage400(await go(conf, { client_id: "" }));
    await expectPage400(await go(conf, { redirect_uri: "" }));
    for (const uri of [
      "https://evil.test/cb",
      "https://client.test/cb/",
      "https://client.test/CB",
      "https://client.test/cb#",
      "https://client.test:443/cb",
      "https://client.test/cb?tenant=a/b",
      "https://client.test/../cb",
      "http://client.test/cb",
      "https://client.test@evil.test/cb",
    ])
      await expectPage400(await go(conf, { redirect_uri: uri }));
  });

  test("AZ-02: an unknown, a deleted and a suspended application look alike", async () => {
    const deleted = await mintApplication(ctx, owner, { name: "Gone" });
    await deleteApplication(ctx, owner, { clientId: deleted.clientId, confirmName: "Gone" });
    const suspended = await mintApplication(ctx, owner);
    const fields = { suspendedAt: ctx.now() };
    await ctx.database.query
      .update(applications)
      .set(fields)
      .where(eq(applications.clientId, suspended.clientId));
    const pages = await Promise.all(
      [deleted.clientId, suspended.clientId, "0".repeat(32), "nobody", "a\0b"].map(
        async (clientId) => expectPage400(await go(conf, { client_id: clientId })),
      ),
    );
    expect(new Set(pages.map(ownText)).size).toBe(1);
  });

  test("AZ-25: a doubled client_id or redirect_uri, same or different", async () => {
    for (const more of [
      `&client_id=${conf.clientId}`,
      `&client_id=${pub.clientId}`,
      "&client_id=",
      "&redirect_uri=",
      "&redirect_uri=https%3A%2F%2Fclient.test%2Fcb",
      "&redirect_uri=https%3A%2F%2Fevil.test",
    ])
      await expectPage400(await go(conf, queryOf(conf, more)));
  });

  test("a bad redirect URI beats every other fault", async () => {
    await expectPage400(
      await go(conf, { redirect_uri: "https://evil.test/", response_type: "token", state: "" }),
    );
  });

  test("nothing that was sent appears on the page but in the link to the doctor, encoded", async () => {
    const page = await expectPage400(await go(conf, { client_id: '"><script>alert(1)</script>' }));
    expect(ownText(page)).not.toContain("alert");
    expect(page).not.toContain("<script");
  });
});

describe("phase 2: back to the client, with state and iss (§7 row 31)", () => {
  test.each([
    ["AZ-08: no response_type", { response_type: "" }, "invalid_request"],
    ["AZ-09: response_type=token", { response_type: "token" }, "unsupported_response_type"],
    ["AZ-09: response_type=id_token", { response_type: "id_token" }, "unsupported_response_type"],
    [
      "AZ-09: response_type=code token",
      { response_type: "code token" },
      "unsupported_response_type",
    ],
    ["AZ-09: response_type=none", { response_type: "none" }, "unsupported_response_type"],
    ["AZ-09: response_type=CODE", { response_type: "CODE" }, "unsupported_response_type"],
    ["AZ-15: plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["AZ-16: a challenge without a method", { code_challenge_method: "" }, "invalid_request"],
    ["AZ-17: a method without a challenge", { code_challenge: "" }, "invalid_request"],
    ["a challenge of 42 characters", { code_challenge: "a".repeat(42) }, "invalid_request"],
    [
      "a challenge that is no base64url",
      { code_challenge: `${"a".repeat(42)}=` },
      "invalid_request",
    ],
    ["AZ-19: a scope that is not registered", { scope: "service_key:usage" }, "invalid_scope"],
    ["AZ-20: an unknown scope", { scope: "identity admin" }, "invalid_scope"],
    ["AZ-23: a scope with a line break", { scope: "identity\n" }, "invalid_scope"],
    ["AZ-23: a scope with a tab", { scope: "identity\tfaction" }, "invalid_scope"],
    ["AZ-23: a scope with a quote", { scope: 'identity"' }, "invalid_scope"],
    ["AZ-23: a scope with a backslash", { scope: "identity\\" }, "invalid_scope"],
    ["AZ-23: a scope beyond ASCII", { scope: "identitä" }, "invalid_scope"],
    ["AZ-23: a scope with a NUL", { scope: "identity\0" }, "invalid_scope"],
    ["AZ-23: a huge scope", { scope: "x".repeat(65_536) }, "invalid_scope"],
    ["AZ-29: prompt=none login", { prompt: "none login" }, "invalid_request"],
    ["an unknown prompt", { prompt: "select_account" }, "invalid_request"],
    ["AZ-30: response_mode=fragment", { response_mode: "fragment" }, "invalid_request"],
    ["AZ-30: response_mode=form_post", { response_mode: "form_post" }, "invalid_request"],
    ["AZ-30: response_mode=web_message", { response_mode: "web_message" }, "invalid_request"],
    ["AZ-30: response_mode=query.jwt", { response_mode: "query.jwt" }, "invalid_request"],
    ["AZ-30: response_mode=foo", { response_mode: "foo" }, "invalid_request"],
    ["AZ-30: response_mode in capitals", { response_mode: "QUERY" }, "invalid_request"],
    ["a request object", { request: "e30." }, "invalid_request"],
    ["a request object by reference", { request_uri: "https://client.test/r" }, "invalid_request"],
    ["AZ-28: prompt=none, nobody signed in", { prompt: "none" }, "login_required"],
  ])("%s", async (_fault, differing, error) => {
    expectRefusal(await go(conf, differing as Record<string, string>), error);
  });

  test("AZ-14: a public client without a challenge", async () => {
    expectRefusal(
      await go(pub, { code_challenge: "", code_challenge_method: "" }),
      "invalid_request",
      pub,
    );
  });

  test.each([
    ["AZ-15: plain PKCE", { code_challenge_method: "plain" }],
    ["AZ-16: a challenge without a method", { code_challenge_method: "" }],
    ["AZ-17: a method without a challenge", { code_challenge: "" }],
  ])("%s, from a public client too", async (_fault, differing) => {
    expectRefusal(await go(pub, differing as Record<string, string>), "invalid_request", pub);
  });

  test("AZ-10 AZ-11: a missing or empty state, which then is not sent back", async () => {
    expectRefusal(await go(conf, { state: "" }), "invalid_request", conf, null);
    const query = queryOf(conf, "").replace("state=xyz", "state=");
    expectRefusal(await newBrowser().authorize(query), "invalid_request", conf, null);
  });

  test("AZ-21: a missing scope, while an empty one asks for nothing", async () => {
    expectRefusal(await go(conf, { scope: "" }), "invalid_scope");
    const asked = await newBrowser().authorize(authorizationQuery(conf, { scope: "" }));
    expect(asked.headers.get("location")).toMatch(/\/sign-in\?request=/);
  });

  test("AZ-25: a doubled parameter; a doubled state is not sent back", async () => {
    const sound = {
      ...authorizationQuery(conf),
      response_mode: "query",
      prompt: "consent",
      extra: "x",
    };
    const { client_id: _id, redirect_uri: _uri, state: _state, ...doubled } = sound;
    // Equal, different and empty: none of the duplicates counts.
    for (const [name, value] of Object.entries(doubled))
      for (const again of [value, "x", ""]) {
        const query = `${new URLSearchParams(sound)}&${new URLSearchParams({ [name]: again })}`;
        expectRefusal(await go(conf, query), "invalid_request");
      }
    for (const more of ["&state=xyz", "&state=other", "&state="])
      expectRefusal(await go(conf, queryOf(conf, more)), "invalid_request", conf, null);
  });

  test("a state that is no text is not sent back", async () => {
    for (const state of ["%00", "%FF"]) {
      const query = queryOf(conf, "").replace("state=xyz", `state=a${state}`);
      expectRefusal(await newBrowser().authorize(query), "invalid_request", conf, null);
    }
  });

  test("HD-12: line breaks in state stay in state", async () => {
    const state = "a\r\nX-Injected: 1";
    const response = await go(conf, { state, response_type: "token" });
    expectRefusal(response, "unsupported_response_type", conf, state);
    expect(response.headers.has("x-injected")).toBe(false);
  });
});

describe("a sound request", () => {
  test("AZ-27: waits behind the sign-in; unknown parameters are ignored", async () => {
    const browser = newBrowser();
    const response = await browser.authorize(authorizationQuery(conf, { resource_hint: "x" }));
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(
      `${issuer}/sign-in?request=${requestIdOf(response)}`,
    );
    const cookies = response.headers.getSetCookie();
    expect(cookies).toEqual([
      expect.stringMatching(
        /^adjutant_browser=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  test("AZ-32: only GET asks; HEAD and all others create nothing", async () => {
    const before = await pending();
    for (const method of ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
      const response = await newBrowser().authorize(authorizationQuery(conf), { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"]);
    }
    expect(await pending()).toBe(before);
  });

  test("AZ-28: prompt=none is answered at once, for better or worse", async () => {
    const user = await mintUser(ctx);
    const browser = newBrowser();
    await browser.signIn(user);
    const silent = authorizationQuery(conf, { prompt: "none" });
    expectRefusal(await browser.authorize(silent), "consent_required");
    await mintTokens(ctx, conf, { user });
    const location = new URL((await browser.authorize(silent)).headers.get("location") ?? "");
    expect(location.searchParams.get("code")).toMatch(/^adj_ac_/);
  });

  test("RL-12: an address asks 60 times a minute, then sees a page that says when to go on", async () => {
    const browser = newBrowser();
    const statuses = [];
    for (let time = 0; time < 61; time++) statuses.push((await browser.authorize("")).status);
    expect(statuses).toEqual([...Array(60).fill(400), 429]);
    expect((await browser.authorize("")).headers.get("retry-after")).toMatch(/^[1-9]\d?$/);
  });
});

describe("the way back", () => {
  async function approved(differing: Record<string, string>) {
    const user = {
      ...(await mintUser(ctx)),
      authenticatedAt: new Date(ctx.now().getTime() + 60_000),
    };
    const browser = newBrowser();
    await browser.signIn(user);
    return browser.decide(await browser.authorize(authorizationQuery(conf, differing)), user);
  }

  test("AZ-33 AZ-35: carries code, state and iss, and nothing else", async () => {
    const location = await approved({});
    expect([...location.searchParams.keys()]).toEqual(["code", "state", "iss"]);
    expect(location.searchParams.get("iss")).toBe(issuer);
  });

  test("AZ-06: a redirect URI keeps its own query as it was registered", async () => {
    const redirect_uri = "https://client.test/cb?tenant=a%2Fb";
    const rest = `&state=xyz&iss=${encodeURIComponent(issuer)}`;
    const shape = (href: string) => href.replace(/adj_ac_[0-9A-Za-z]+/, "CODE");
    expect(shape((await approved({ redirect_uri })).href)).toBe(`${redirect_uri}&code=CODE${rest}`);
    const bare = "https://client.test/cb?";
    expect(shape((await approved({ redirect_uri: bare })).href)).toBe(`${bare}code=CODE${rest}`);
    const refused =
      (await go(conf, { redirect_uri, response_type: "token" })).headers.get("location") ?? "";
    expect(
      refused.startsWith(`${redirect_uri}&error=unsupported_response_type&error_description=`),
    ).toBe(true);
    expect(refused.endsWith(rest)).toBe(true);
  });

  test("AZ-12: a long state of all printable ASCII comes back byte for byte", async () => {
    const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join(
      "",
    );
    const state = ascii.repeat(5).slice(0, 384);
    expect((await approved({ state })).searchParams.get("state")).toBe(state);
  });
});
