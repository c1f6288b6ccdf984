import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { readCookie, sessionCookieName } from "#server/auth/cookies";
import { csrfToken } from "#server/auth/csrf";
import { readSession } from "#server/auth/sessions";
import { signInRefusals } from "#server/auth/sign-in-refused";
import { answerAuthorize } from "#server/oauth/authorize/http";
import { testDatabase } from "#server/testing/database";
import { authorizationQuery, mintApplication, requestIdOf } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { postDecision } from "./post-decision";
import { postEndSession } from "./post-end-session";
import { postRevokeConsent } from "./post-revoke-consent";
import { postSignInKey } from "./post-sign-in-key";
import { postSignOut } from "./post-sign-out";

const { ctx, clock, simulator } = await testContext({ database: await testDatabase() });
const { baseUrl } = ctx.settings;
const developer = await mintUser(ctx);

// The targets of forms find the process's context where the front and Next share it.
const shelf = Symbol.for("adjutant.context");
Object.assign(globalThis, { [shelf]: { context: Promise.resolve(ctx) } });
afterAll(() => {
  Reflect.deleteProperty(globalThis, shelf);
});

// No test uses up the windows of another: all peers share one here, since no front tells them apart.
beforeEach(() => clock.advance(60));

/** A browser that runs no script: it keeps cookies, and sends forms as browsers do. */
const browser = () => {
  const jar = new Map<string, string>();
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const token = () => readCookie(cookie(), sessionCookieName(false));
  return {
    token,
    user: () => readSession(ctx, token()),
    csrf: async () => csrfToken(ctx.keyring, (await readSession(ctx, token()))?.sessionHash ?? ""),
    authorize: async (query: Record<string, string>) =>
      keep(
        await answerAuthorize(
          ctx,
          new Request(`${baseUrl}/oauth/authorize?${new URLSearchParams(query)}`, { headers: { cookie: cookie() } }),
          { address: null },
        ),
      ),
    post: async (
      target: (request: Request) => Promise<Response>,
      fields: Record<string, string>,
      headers: Record<string, string> = {},
    ) =>
      keep(
        await target(
          new Request(`${baseUrl}/any`, {
            method: "POST",
            headers: { origin: baseUrl, "sec-fetch-site": "same-origin", cookie: cookie(), ...headers },
            body: new URLSearchParams(fields),
          }),
        ),
      ),
  };
};

const signedIn = async (gameKey = simulator.demoKeys.member) => {
  const visitor = browser();
  const response = await visitor.post(postSignInKey, { game_key: gameKey });
  expect(response.status).toBe(303);
  return visitor;
};

describe("the sign-in form", () => {
  test("signs in and leads to the developer's page, by a 303 that nothing keeps", async () => {
    const visitor = browser();
    const response = await visitor.post(postSignInKey, { game_key: simulator.demoKeys.developer });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/developers");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.getSetCookie()).toHaveLength(1);
    expect(await visitor.user()).toMatchObject({ playerId: 1001 });
  });

  test.each([
    ["/account/apps", "/account/apps"],
    ["//evil.test", "/developers"],
    ["https://evil.test", "/developers"],
  ])("with next=%s leads to %s (PT-05)", async (next, location) => {
    const response = await browser().post(postSignInKey, { game_key: simulator.demoKeys.loner, next });
    expect(response.headers.get("location")).toBe(location);
  });

  test("leads back with a word for what was wrong, and never with the key", async () => {
    const response = await browser().post(postSignInKey, { game_key: "NotARealKey00001", next: "/account" });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/sign-in?error=wrong-key&next=%2Faccount");
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(Object.keys(signInRefusals)).toContain("wrong-key");
  });

  test("without a key says so", async () => {
    const response = await browser().post(postSignInKey, {});
    expect(response.headers.get("location")).toBe("/sign-in?error=malformed");
  });

  test("answers 429 after ten failures, and says how long to wait (RL-12)", async () => {
    const visitor = browser();
    for (let n = 0; n < 10; n++) await visitor.post(postSignInKey, { game_key: `NotARealKey${10_000 + n}` });
    const response = await visitor.post(postSignInKey, { game_key: simulator.demoKeys.loner });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("from another site signs nobody in", async () => {
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.test", "sec-fetch-site": "cross-site" },
      { origin: "null" },
      { origin: baseUrl, "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      const visitor = browser();
      const response = await visitor.post(postSignInKey, { game_key: simulator.demoKeys.loner }, headers);
      expect(response.status).toBe(403);
      expect(visitor.token()).toBeNull();
    }
  });

  test("in a form that no page of ours sends is refused", async () => {
    const multipart = await browser().post(postSignInKey, {}, { "content-type": "multipart/form-data; boundary=x" });
    expect(multipart.status).toBe(415);
    const huge = await browser().post(postSignInKey, { game_key: "x".repeat(300_000) });
    expect(huge.status).toBe(413);
  });
});

describe("signing in while an application waits", () => {
  test("leads to the consent page, then with an approval to the application (AZ-46, AZ-33)", async () => {
    const app = await mintApplication(ctx, developer);
    const visitor = browser();
    const requestId = requestIdOf(await visitor.authorize(authorizationQuery(app)));
    const signIn = await visitor.post(postSignInKey, { game_key: simulator.demoKeys.member, request: requestId });
    expect(signIn.headers.get("location")).toBe(`/consent/${requestId}`);

    const approval = await visitor.post((request) => postDecision(request, requestId), {
      decision: "approve",
      csrf: await visitor.csrf(),
    });
    expect(approval.status).toBe(303);
    expect(approval.headers.get("referrer-policy")).toBe("no-referrer");
    const location = new URL(approval.headers.get("location") ?? "");
    expect(location.origin + location.pathname).toBe("https://client.test/cb");
    expect(location.searchParams.get("code")).toMatch(/^adj_ac_/);
    expect(location.searchParams.get("state")).toBe("xyz");
  });

  test("leads past it where a remembered consent answers (AZ-50)", async () => {
    const app = await mintApplication(ctx, developer);
    const first = await signedIn();
    const asked = requestIdOf(await first.authorize(authorizationQuery(app)));
    const csrf = await first.csrf();
    await first.post((request) => postDecision(request, asked), { decision: "approve", until: "month", csrf });

    const second = browser();
    const requestId = requestIdOf(await second.authorize(authorizationQuery(app)));
    const signIn = await second.post(postSignInKey, { game_key: simulator.demoKeys.member, request: requestId });
    expect(signIn.headers.get("location")).toMatch(/^https:\/\/client\.test\/cb\?code=adj_ac_/);
  });

  test("that another browser started leads to a page that says so", async () => {
    const app = await mintApplication(ctx, developer);
    const requestId = requestIdOf(await browser().authorize(authorizationQuery(app)));
    const other = browser();
    const signIn = await other.post(postSignInKey, { game_key: simulator.demoKeys.member, request: requestId });
    expect(signIn.headers.get("location")).toBe(`/consent/${requestId}`);
    const csrf = await other.csrf();
    const approval = await other.post((r) => postDecision(r, requestId), { decision: "approve", csrf });
    expect(approval.headers.get("location")).toBe(`/consent/${requestId}`);
  });
});

describe("the consent form", () => {
  const asked = async () => {
    const app = await mintApplication(ctx, developer);
    const visitor = await signedIn();
    const requestId = requestIdOf(await visitor.authorize(authorizationQuery(app)));
    const decide = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      visitor.post((request) => postDecision(request, requestId), fields, headers);
    return { visitor, requestId, decide, csrf: await visitor.csrf() };
  };

  test("without, or with a wrong token is refused and decides nothing (AZ-37)", async () => {
    const { decide, csrf } = await asked();
    const other = await signedIn(simulator.demoKeys.loner);
    const wrong: Record<string, string>[] = [{}, { csrf: "wrong" }, { csrf: await other.csrf() }];
    for (const fields of wrong) {
      const response = await decide({ decision: "approve", ...fields });
      expect(response.status).toBe(403);
      expect(response.headers.get("location")).toBeNull();
    }
    expect((await decide({ decision: "approve", csrf })).headers.get("location")).toContain("code=");
  });

  test("from another site is refused even with the right token", async () => {
    const { decide, csrf } = await asked();
    const response = await decide({ decision: "approve", csrf }, { origin: "https://evil.test" });
    expect(response.status).toBe(403);
  });

  test("can deny (AZ-34)", async () => {
    const { decide, csrf } = await asked();
    const location = (await decide({ decision: "deny", csrf })).headers.get("location");
    expect(location).toContain("error=access_denied");
  });

  test("takes only what was asked, whatever else the form carries (AZ-40)", async () => {
    const { decide, csrf } = await asked();
    const forged = { client_id: "x", redirect_uri: "https://evil.test", scope: "faction", state: "forged" };
    const location = new URL((await decide({ decision: "approve", csrf, ...forged })).headers.get("location") ?? "");
    expect(location.origin).toBe("https://client.test");
    expect(location.searchParams.get("state")).toBe("xyz");
  });

  test("decides once; a second time it leads to a page that says so (AZ-41)", async () => {
    const { decide, csrf, requestId } = await asked();
    const answers = await Promise.all([1, 2, 3, 4].map(() => decide({ decision: "approve", csrf })));
    const locations = answers.map((answer) => answer.headers.get("location") ?? "");
    expect(locations.filter((location) => location.includes("code="))).toHaveLength(1);
    expect(locations.filter((location) => location === `/consent/${requestId}`)).toHaveLength(3);
  });

  test("with neither approve nor deny asks again", async () => {
    const { decide, csrf, requestId } = await asked();
    const undecided: Record<string, string>[] = [{}, { decision: "maybe" }, { decision: "approve", until: "ever" }];
    for (const fields of undecided)
      expect((await decide({ csrf, ...fields })).headers.get("location")).toBe(`/consent/${requestId}`);
    expect((await decide({ csrf, decision: "approve" })).headers.get("location")).toContain("code=");
  });

  test("after a sign-out leads to the sign-in, with the request (AZ-42)", async () => {
    const { visitor, decide, csrf, requestId } = await asked();
    await visitor.post(postSignOut, { csrf });
    const response = await decide({ decision: "approve", csrf });
    expect(response.headers.get("location")).toBe(`/sign-in?request=${requestId}`);
  });

  test("wants a sign-in younger than a quarter of an hour", async () => {
    const visitor = await signedIn();
    clock.advance(900);
    const app = await mintApplication(ctx, developer);
    const requestId = requestIdOf(await visitor.authorize(authorizationQuery(app)));
    const csrf = await visitor.csrf();
    const response = await visitor.post((r) => postDecision(r, requestId), { decision: "approve", csrf });
    expect(response.headers.get("location")).toBe(`/sign-in?request=${requestId}`);
  });
});

describe("signing out", () => {
  test("wants the token, ends the session and takes the cookie back (PT-09)", async () => {
    const visitor = await signedIn();
    const token = visitor.token();
    expect((await visitor.post(postSignOut, {})).status).toBe(403);
    expect(await readSession(ctx, token)).not.toBeNull();
    const response = await visitor.post(postSignOut, { csrf: await visitor.csrf() });
    expect(response.headers.get("location")).toBe("/");
    expect(response.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await readSession(ctx, token)).toBeNull();
  });

  test("twice is no fault", async () => {
    expect((await browser().post(postSignOut, {})).headers.get("location")).toBe("/");
  });
});

describe("forms of the account", () => {
  test("end the other sessions", async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    const response = await here.post(postEndSession, { others: "yes", csrf: await here.csrf() });
    expect(response.headers.get("location")).toBe("/account/sessions?done=ended");
    expect(await there.user()).toBeNull();
    expect(await here.user()).not.toBeNull();
  });

  test("cut an application off", async () => {
    const app = await mintApplication(ctx, developer);
    const visitor = await signedIn();
    const asked = requestIdOf(await visitor.authorize(authorizationQuery(app)));
    const csrf = await visitor.csrf();
    await visitor.post((request) => postDecision(request, asked), { decision: "approve", csrf });
    const response = await visitor.post(postRevokeConsent, { all: "yes", csrf });
    expect(response.headers.get("location")).toBe("/account/apps?done=revoked");
    const again = await visitor.authorize(authorizationQuery(app, { prompt: "none" }));
    expect(again.headers.get("location")).toContain("error=consent_required");
  });

  test("cut an application off that was cut off before", async () => {
    const visitor = await signedIn();
    const response = await visitor.post(postRevokeConsent, { consent_id: ctx.ids.uuid(), csrf: await visitor.csrf() });
    expect(response.headers.get("location")).toBe("/account/apps?done=revoked");
  });

  test("of somebody who is signed out lead to the sign-in", async () => {
    const response = await browser().post(postRevokeConsent, { all: "yes" });
    expect(response.headers.get("location")).toBe("/sign-in?next=%2Faccount%2Fapps");
  });

  test("with nonsense in them are refused", async () => {
    const visitor = await signedIn();
    const response = await visitor.post(postRevokeConsent, { consent_id: "'--", csrf: await visitor.csrf() });
    expect(response.status).toBe(400);
  });
});

test("the page of a refusal repeats nothing that was sent, and carries the nonce of its policy", async () => {
  const script = "<script>alert(1)</script>";
  const response = await browser().post(postSignOut, { csrf: script }, { origin: script, "x-nonce": "bm9uY2U=" });
  const page = await response.text();
  expect(page).not.toContain("alert(1)");
  expect(page).toContain('<style nonce="bm9uY2U=">');
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
});
