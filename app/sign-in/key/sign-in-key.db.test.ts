import { describe, expect, test } from "vitest";
import { POST as postDecision } from "#app/consent/[requestId]/decision/route";
import { signInRefusals } from "#server/auth/sign-in-refused";
import { formWorld } from "#server/testing/form-world";
import { authorizationQuery, mintApplication, requestIdOf } from "#server/testing/oauth-world";
import { at } from "#server/testing/plain-browser";
import { mintUser } from "#server/testing/world";
import { POST as postSignInKey } from "./route";

const { ctx, simulator, browser, withKey } = await formWorld();
const developer = await mintUser(ctx);

describe("the sign-in form", () => {
  test("signs in and leads to the developer's page, by a 303 that nothing keeps", async () => {
    const visitor = browser();
    const response = await visitor.post(postSignInKey, { game_key: simulator.demoKeys.developer });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/start");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.getSetCookie()).toHaveLength(1);
    expect(await visitor.user()).toMatchObject({ playerId: 1001 });
  });

  test.each([
    ["/account/apps", "/account/apps"],
    ["//evil.test", "/start"],
    ["https://evil.test", "/start"],
  ])("with next=%s leads to %s (PT-05)", async (next, location) => {
    const response = await browser().post(postSignInKey, {
      game_key: simulator.demoKeys.loner,
      next,
    });
    expect(response.headers.get("location")).toBe(location);
  });

  test("leads back with a word for what was wrong, and never with the key", async () => {
    const response = await browser().post(postSignInKey, {
      game_key: "NotARealKey00001",
      next: "/account",
    });
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
    for (let n = 0; n < 10; n++)
      await visitor.post(postSignInKey, { game_key: `NotARealKey${10_000 + n}` });
    const response = await visitor.post(postSignInKey, { game_key: simulator.demoKeys.loner });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("signing in while an application waits", () => {
  test("leads to the consent page, then with an approval to the application (AZ-46, AZ-33)", async () => {
    const app = await mintApplication(ctx, developer);
    const visitor = browser();
    const requestId = requestIdOf(await visitor.authorize(authorizationQuery(app)));
    const signIn = await visitor.post(postSignInKey, {
      game_key: simulator.demoKeys.member,
      request: requestId,
    });
    expect(signIn.headers.get("location")).toBe(`/consent/${requestId}`);

    const approval = await visitor.post(at(postDecision, { requestId }), {
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
    const first = await withKey();
    const asked = requestIdOf(await first.authorize(authorizationQuery(app)));
    const csrf = await first.csrf();
    await first.post(at(postDecision, { requestId: asked }), {
      decision: "approve",
      until: "month",
      csrf,
    });

    const second = browser();
    const requestId = requestIdOf(await second.authorize(authorizationQuery(app)));
    const signIn = await second.post(postSignInKey, {
      game_key: simulator.demoKeys.member,
      request: requestId,
    });
    expect(signIn.headers.get("location")).toMatch(/^https:\/\/client\.test\/cb\?code=adj_ac_/);
  });

  test("that another browser started leads to a page that says so", async () => {
    const app = await mintApplication(ctx, developer);
    const requestId = requestIdOf(await browser().authorize(authorizationQuery(app)));
    const other = browser();
    const signIn = await other.post(postSignInKey, {
      game_key: simulator.demoKeys.member,
      request: requestId,
    });
    expect(signIn.headers.get("location")).toBe(`/consent/${requestId}`);
    const csrf = await other.csrf();
    const approval = await other.post(at(postDecision, { requestId }), {
      decision: "approve",
      csrf,
    });
    expect(approval.headers.get("location")).toBe(`/consent/${requestId}`);
  });
});
