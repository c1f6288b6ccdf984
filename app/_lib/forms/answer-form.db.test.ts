import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { readSession } from "#server/auth/sessions";
import { testDatabase } from "#server/testing/database";
import { authorizationQuery, mintApplication, requestIdOf } from "#server/testing/oauth-world";
import { plainBrowser, shareContext } from "#server/testing/plain-browser";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { postDecision } from "./post-decision";
import { postEndSession } from "./post-end-session";
import { postRevokeConsent } from "./post-revoke-consent";
import { postSignInKey } from "./post-sign-in-key";
import { postSignOut } from "./post-sign-out";

const { ctx, clock, simulator } = await testContext({ database: await testDatabase() });
const browser = () => plainBrowser(ctx);
afterAll(shareContext(ctx));
// No test uses up the windows of another: all peers share one here, since no front tells them apart.
beforeEach(() => clock.advance(60));
const developer = await mintUser(ctx);

const signedIn = async (gameKey = simulator.demoKeys.member) => {
  const visitor = browser();
  await visitor.post(postSignInKey, { game_key: gameKey });
  return visitor;
};

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
