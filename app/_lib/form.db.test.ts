import { describe, expect, test } from "vitest";
import { POST as postRevokeConsent } from "#app/(portal)/account/apps/revoke/route";
import { POST as postEndSession } from "#app/(portal)/account/sessions/end/route";
import { POST as postRegister } from "#app/(portal)/developers/(section)/new/register/route";
import { POST as postDecision } from "#app/consent/[requestId]/decision/route";
import { POST as postSignOut } from "#app/sign-out/route";
import { readSession } from "#server/auth/sessions";
import { formWorld } from "#server/testing/form-world";
import { authorizationQuery, mintApplication, requestIdOf } from "#server/testing/oauth-world";
import { at } from "#server/testing/plain-browser";
import { mintUser, testSource } from "#server/testing/world";

const { ctx, browser, withKey } = await formWorld();
const developer = await mintUser(ctx);

describe("signing out", () => {
  test("wants the token, ends the session and takes the cookie back (PT-09)", async () => {
    const visitor = await withKey();
    const token = visitor.token();
    expect((await visitor.post(postSignOut, {})).status).toBe(403);
    expect(await readSession(ctx, token, testSource)).not.toBeNull();
    const response = await visitor.post(postSignOut, { csrf: await visitor.csrf() });
    expect(response.headers.get("location")).toBe("/");
    expect(response.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await readSession(ctx, token, testSource)).toBeNull();
  });

  test("twice is no fault", async () => {
    expect((await browser().post(postSignOut, {})).headers.get("location")).toBe("/");
  });
});

describe("forms of the account", () => {
  test("end the other sessions", async () => {
    const [here, there] = [await withKey(), await withKey()];
    const response = await here.post(postEndSession, { others: "yes", csrf: await here.csrf() });
    expect(response.headers.get("location")).toBe("/account/sessions?done=ended");
    expect(await there.user()).toBeNull();
    expect(await here.user()).not.toBeNull();
  });

  test("cut an application off", async () => {
    const app = await mintApplication(ctx, developer);
    const visitor = await withKey();
    const asked = requestIdOf(await visitor.authorize(authorizationQuery(app)));
    const csrf = await visitor.csrf();
    await visitor.post(at(postDecision, { requestId: asked }), { decision: "approve", csrf });
    const response = await visitor.post(postRevokeConsent, { all: "yes", csrf });
    expect(response.headers.get("location")).toBe("/account/apps?done=revoked");
    const again = await visitor.authorize(authorizationQuery(app, { prompt: "none" }));
    expect(again.headers.get("location")).toContain("error=consent_required");
  });

  test("cut an application off that was cut off before", async () => {
    const visitor = await withKey();
    const response = await visitor.post(postRevokeConsent, {
      consent_id: ctx.ids.uuid(),
      csrf: await visitor.csrf(),
    });
    expect(response.headers.get("location")).toBe("/account/apps?done=revoked");
  });
});

test("a form from before the last sign-in leads back to its page with what was typed", async () => {
  const visitor = await withKey();
  const refused = await visitor.post(postRegister, {
    name: "Tide & Clerk",
    scopes: "identity",
    csrf: "of-another-session",
  });
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain(
    'href="/developers/new?name=Tide+%26+Clerk&#38;scopes=identity"',
  );
});

test("the page of a refusal repeats nothing that was sent, and carries the nonce of its policy", async () => {
  const script = "<script>alert(1)</script>";
  const response = await browser().post(
    postSignOut,
    { csrf: script },
    { origin: script, "x-nonce": "bm9uY2U=" },
  );
  const page = await response.text();
  expect(page).not.toContain("alert(1)");
  expect(page).toContain('<style nonce="bm9uY2U=">');
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
});
