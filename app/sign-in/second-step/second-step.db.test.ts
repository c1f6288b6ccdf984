import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { POST as postDecision } from "#app/consent/[requestId]/decision/route";
import { testDatabase } from "#server/testing/database";
import { authorizationQuery, mintApplication, requestIdOf } from "#server/testing/oauth-world";
import { at, plainBrowser, shareContext } from "#server/testing/plain-browser";
import { enableSecondFactor } from "#server/testing/second-factor";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { POST as postSignInKey } from "../key/route";
import { POST as postSecondStep } from "./code/route";

const { ctx, clock, simulator } = await testContext({ database: await testDatabase() });
afterAll(shareContext(ctx));
// Moves on to fresh rate-limit windows and codes: without a front, all peers share one bucket.
beforeEach(() => clock.advance(120));
const developer = await mintUser(ctx);
const { baseUrl } = ctx.settings;
const game_key = simulator.demoKeys.member;

const first = plainBrowser(ctx);
await first.post(postSignInKey, { game_key });
const owner = await first.user();
if (!owner) throw new Error("The player was not signed in.");
const { app } = await enableSecondFactor(ctx, owner);

const halfWay = async (fields: Record<string, string> = {}) => {
  const visitor = plainBrowser(ctx);
  const response = await visitor.post(postSignInKey, { game_key, ...fields });
  return { visitor, response, location: response.headers.get("location") };
};

describe("the second step's form", () => {
  test("comes after the first proof, which signs nobody in and leaves a cookie for ten minutes", async () => {
    const { visitor, response, location } = await halfWay({ next: "/account/apps" });
    expect(location).toBe("/sign-in/second-step?next=%2Faccount%2Fapps");
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^adjutant_second_step=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(await visitor.user()).toBeNull();
  });

  test("signs in with a right code, leads on, and takes its cookie away", async () => {
    const { visitor } = await halfWay();
    const response = await visitor.post(postSecondStep, {
      code: app.code(),
      next: "/account/apps",
    });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/account/apps");
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^adjutant_session=/),
      "adjutant_second_step=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
    ]);
    expect(await visitor.user()).toMatchObject({ playerId: 1003 });
  });

  test.each(["//evil.test", "https://evil.test", "/\\evil.test"])(
    "never leads to %s (PT-05)",
    async (next) => {
      const { visitor, location } = await halfWay({ next });
      expect(location).not.toContain("evil");
      const response = await visitor.post(postSecondStep, { code: app.code(), next });
      expect(response.headers.get("location")).toBe("/start");
    },
  );

  test("leads back with a word for a wrong code, and keeps the way", async () => {
    const { visitor } = await halfWay();
    const response = await visitor.post(postSecondStep, {
      code: app.wrongCode(),
      next: "/account",
    });
    expect(response.headers.get("location")).toBe(
      "/sign-in/second-step?error=wrong-code&next=%2Faccount",
    );
    expect(await visitor.user()).toBeNull();
  });

  test("without the cookie of the first proof leads to the sign-in page", async () => {
    const response = await plainBrowser(ctx).post(postSecondStep, {
      code: app.code(),
      next: "/account",
    });
    expect(response.headers.get("location")).toBe(
      "/sign-in?error=second-step-over&next=%2Faccount",
    );
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("answers 429 after five wrong codes, and says how long to wait", async () => {
    const { visitor } = await halfWay();
    for (let n = 0; n < 5; n++) await visitor.post(postSecondStep, { code: app.wrongCode() });
    const response = await visitor.post(postSecondStep, { code: app.code() });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("while an application waits", () => {
  test("leads to the consent page, also where a new proof was asked for (AZ-33)", async () => {
    const application = await mintApplication(ctx, developer);
    const visitor = plainBrowser(ctx);
    const requestId = requestIdOf(
      await visitor.authorize(authorizationQuery(application, { prompt: "login" })),
    );
    const half = await visitor.post(postSignInKey, { game_key, request: requestId });
    expect(half.headers.get("location")).toBe(`/sign-in/second-step?request=${requestId}`);
    // The first factor alone answers nothing.
    const early = await visitor.post(at(postDecision, { requestId }), { decision: "approve" });
    expect(early.headers.get("location")).toContain("/sign-in");
    clock.advance(1);
    const response = await visitor.post(postSecondStep, { code: app.code(), request: requestId });
    expect(response.headers.get("location")).toBe(`/consent/${requestId}`);
    const csrf = await visitor.csrf();
    const approval = await visitor.post(at(postDecision, { requestId }), {
      decision: "approve",
      csrf,
    });
    expect(approval.headers.get("location")).toMatch(/^https:\/\/client\.test\/cb\?code=adj_ac_/);
  });

  test("leads past it where a remembered consent answers (AZ-50)", async () => {
    const application = await mintApplication(ctx, developer);
    const { visitor } = await halfWay();
    await visitor.post(postSecondStep, { code: app.code() });
    const asked = requestIdOf(await visitor.authorize(authorizationQuery(application)));
    await visitor.post(at(postDecision, { requestId: asked }), {
      decision: "approve",
      csrf: await visitor.csrf(),
    });

    clock.advance(60);
    const other = plainBrowser(ctx);
    const request = requestIdOf(await other.authorize(authorizationQuery(application)));
    await other.post(postSignInKey, { game_key, request });
    const response = await other.post(postSecondStep, { code: app.code(), request });
    expect(response.headers.get("location")).toMatch(/^https:\/\/client\.test\/cb\?code=adj_ac_/);
    expect(baseUrl).not.toContain("client.test");
  });
});
