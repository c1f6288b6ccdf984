import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { consents, grants } from "#db/schema/oauth";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  mintApplication,
  mintVisitor,
  postToken,
  redemption,
  TestBrowser,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const owner = await mintUser(ctx);
const conf = await mintApplication(ctx, owner, { scopes: ["identity", "faction"] });
const pub = await mintApplication(ctx, owner, { kind: "public", redirectUris: [] });

/** A query with the raw state, without any other decoding before the endpoint. */
function queryWith(rawState: string, differing: Record<string, string> = {}): string {
  const { state: _state, ...fields } = authorizationQuery(conf, differing);
  return `${new URLSearchParams(fields)}&state=${rawState}`;
}
/** Split at its separators, not decoded. */
const rawParameters = (location: string): Map<string, string> =>
  new Map(
    location
      .slice(location.indexOf("?") + 1)
      .split("&")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
const locationOf = (response: Response) => response.headers.get("location") ?? "";
const newBrowser = () => {
  clock.advance(60);
  return new TestBrowser(ctx);
};

describe("AZ-12: state comes back as the bytes that it stands for", () => {
  // Sent state, and the returned one: percent-encoded, so that it cannot end a parameter or a line.
  const states: [string, string][] = [
    ["a+b", "a%20b"],
    ["a%2Bb", "a%2Bb"],
    ["%20", "%20"],
    ["%2500", "%2500"],
    ["%zz%", "%25zz%25"],
    ["%26iss%3Dhttps%3A%2F%2Fevil.test", "%26iss%3Dhttps%3A%2F%2Fevil.test"],
    ["a=b", "a%3Db"],
    ["%23%3Cscript%3E", "%23%3Cscript%3E"],
    ["%0D%0ASet-Cookie%3A%20a%3Db", "%0D%0ASet-Cookie%3A%20a%3Db"],
    ["%01%1B%5B31m%7F%C2%85", "%01%1B%5B31m%7F%C2%85"],
    ["%F0%9F%98%80", "%F0%9F%98%80"],
    ["bom%EF%BB%BF", "bom%EF%BB%BF"],
    ["e%CC%81%C3%A9", "e%CC%81%C3%A9"],
    ["%E2%80%AE%E2%80%8B%EF%BF%BF", "%E2%80%AE%E2%80%8B%EF%BF%BF"],
    ["x".repeat(2_000), "x".repeat(2_000)],
  ];

  test.each(states)(
    "%#: in a refusal, after an approval and in a silent answer",
    async (sent, returned) => {
      const refused = await newBrowser().authorize(queryWith(sent, { response_type: "token" }));
      expect(rawParameters(locationOf(refused)).get("state")).toBe(returned);
      const { user, browser } = await mintVisitor(ctx);
      const approved = await browser.decide(await browser.authorize(queryWith(sent)), user);
      expect(rawParameters(approved.href).get("state")).toBe(returned);
      const silent = await browser.authorize(queryWith(sent, { prompt: "none" }));
      const answer = rawParameters(locationOf(silent));
      expect([...answer.keys()]).toEqual(["code", "state", "iss"]);
      expect([answer.get("state"), answer.get("iss")]).toEqual([
        returned,
        encodeURIComponent(ctx.settings.baseUrl),
      ]);
    },
  );

  test.each([
    "a%00",
    "%C0%80",
    "%FF",
    "a%E0%A4",
    "%ED%A0%80b",
    "%ED%B0%80",
    "%F5%80%80%80",
    "%EF%BF%BD",
    "%EF%BB%BFa",
  ])(
    "%s is no text that could come back from every store, so the request is refused without it",
    async (state) => {
      const answer = rawParameters(locationOf(await newBrowser().authorize(queryWith(state))));
      expect([...answer.keys()]).toEqual(["error", "error_description", "iss"]);
      expect(answer.get("error")).toBe("invalid_request");
    },
  );
});

describe("AZ-28: where several things speak against a silent answer", () => {
  const silently = async (
    browser: TestBrowser,
    differing: Record<string, string> = {},
    app = conf,
  ) => {
    const response = await browser.authorize(
      authorizationQuery(app, { ...differing, prompt: "none" }),
    );
    expect(response.status).toBe(303);
    expect(response.headers.getSetCookie()).toEqual([]);
    const said = Object.fromEntries(new URL(locationOf(response)).searchParams);
    expect([said.state, said.iss]).toEqual(["xyz", ctx.settings.baseUrl]);
    return said.error ?? "code";
  };

  test("a fault of the request comes before the sign-in, and the sign-in before the consent", async () => {
    const nobody = newBrowser();
    expect(await silently(nobody, { scope: "admin" })).toBe("invalid_scope");
    expect(await silently(nobody, { code_challenge_method: "plain" })).toBe("invalid_request");
    expect(await silently(nobody, { response_type: "token", scope: "admin" })).toBe(
      "unsupported_response_type",
    );
    expect(await silently(nobody)).toBe("login_required");
    expect(await silently(nobody, {}, pub)).toBe("login_required");
  });

  test("a public client gets none by the hosted callback, whatever was allowed; a consent that is over or paused gives none", async () => {
    clock.advance(60);
    const { user, browser } = await mintVisitor(ctx);
    for (const app of [conf, pub])
      await browser.decide(await browser.authorize(authorizationQuery(app)), user);
    expect([await silently(browser), await silently(browser, {}, pub)]).toEqual([
      "code",
      "consent_required",
    ]);
    expect(await silently(browser, { scope: "identity faction:crimes" })).toBe("consent_required");
    const set = (fields: Partial<typeof consents.$inferInsert>) =>
      ctx.database.query.update(consents).set(fields).where(eq(consents.accountId, user.accountId));
    await set({ pausedAt: ctx.now() });
    expect(await silently(browser)).toBe("consent_required");
    await set({ pausedAt: null, until: ctx.now() });
    expect(await silently(browser)).toBe("consent_required");
    browser.signOut();
    expect(await silently(browser)).toBe("login_required");
  });
});

test("HD-12: line breaks in any parameter make no header, and stand in no description", async () => {
  const broken = "x\r\nX-Injected: 1\r\n\r\n<script>";
  for (const name of Object.keys(authorizationQuery(conf)).concat(
    "prompt",
    "response_mode",
    "request",
    "extra",
  )) {
    const response = await newBrowser().authorize(authorizationQuery(conf, { [name]: broken }));
    expect([name, [303, 400].includes(response.status)]).toEqual([name, true]);
    expect(response.headers.has("x-injected")).toBe(false);
    expect([...response.headers.values()].join(" ")).not.toMatch(/[\r\n]|<script>/);
    const { searchParams } = new URL(locationOf(response) || "https://client.test/");
    expect(searchParams.get("error_description") ?? "").not.toContain("Injected");
    expect(await response.text()).not.toContain("Injected");
  }
});

test("AZ-22: scopes in any order, repeated and with spaces to spare are granted as the set that they are", async () => {
  clock.advance(60);
  const { user, browser } = await mintVisitor(ctx);
  const scope = " faction:crimes  identity identity faction:crimes ";
  const location = await browser.decide(
    await browser.authorize(authorizationQuery(conf, { scope })),
    user,
  );
  const response = await postToken(
    ctx,
    conf,
    redemption(conf, location.searchParams.get("code") ?? ""),
  );
  const reply = await response.json();
  expect(reply.scope).toBe("identity faction:crimes");
  const held = await ctx.tokens.authenticate(reply.access_token);
  expect(held?.actor.scopes).toEqual(["identity", "faction:crimes"]);
  const stored = await ctx.database.query
    .select()
    .from(grants)
    .where(eq(grants.id, held?.actor.grantId ?? ""));
  expect(stored).toMatchObject([{ scopes: ["identity", "faction:crimes"] }]);
});

test("AZ-04: an address that means the same as a registered one, or hides in one, is not registered", async () => {
  const exact = await mintApplication(ctx, owner, {
    redirectUris: ["https://client.test/a%2fb?x=1&y=2"],
  });
  for (const uri of [
    "https://client.test/a%2Fb?x=1&y=2",
    "https://client.test/a/b?x=1&y=2",
    "https://client.test/a%252fb?x=1&y=2",
    "https://client.test/a%2fb?y=2&x=1",
    "https://client.test/a%2fb?x=1&y=2&",
    "https://client.test/a%2fb?x=1&y=2#",
    "https://client.test/a%2fb?x=1&y=2\0",
    " https://client.test/a%2fb?x=1&y=2",
    "https://client.test/a%2fb?x=1&y=2\n",
    "\uFEFFhttps://client.test/a%2fb?x=1&y=2",
    "https://client\u3002test/a%2fb?x=1&y=2",
    "HTTPS://client.test/a%2fb?x=1&y=2",
    "https:/client.test/a%2fb?x=1&y=2",
    "https://client.test\t/a%2fb?x=1&y=2",
    `${ctx.settings.baseUrl}/oauth/${exact.clientId}/callback`,
  ]) {
    const response = await newBrowser().authorize(authorizationQuery(exact, { redirect_uri: uri }));
    expect([uri, response.status, response.headers.get("location")]).toEqual([uri, 400, null]);
  }
  expect((await newBrowser().authorize(authorizationQuery(exact))).status).toBe(303);
});
