import { describe, expect, test } from "vitest";
import { POST as postDecision } from "#app/consent/[requestId]/decision/route";
import { listConsents } from "#server/oauth/consents/list-consents";
import { formWorld } from "#server/testing/form-world";
import { authorizationQuery, mintApplication, requestIdOf } from "#server/testing/oauth-world";
import { at } from "#server/testing/plain-browser";
import { mintUser } from "#server/testing/world";
import { POST as narrow } from "./narrow/route";
import { POST as pause } from "./pause/route";
import { POST as resume } from "./resume/route";
import { POST as postRevokeConsent } from "./revoke/route";

const { ctx, withKey } = await formWorld();
const developer = await mintUser(ctx);
const acts = { pause, resume, narrow };

/** A player with a new consent, and the forms of that application. */
async function connected() {
  const app = await mintApplication(ctx, developer, { scopes: ["identity", "faction"] });
  const visitor = await withKey();
  const asked = requestIdOf(
    await visitor.authorize(authorizationQuery(app, { scope: "identity faction" })),
  );
  const csrf = await visitor.csrf();
  await visitor.post(at(postDecision, { requestId: asked }), { decision: "approve", csrf });
  const consent = async () => {
    const user = await visitor.user();
    const consents = user ? await listConsents(ctx, user) : [];
    return consents.find(({ application }) => application.clientId === app.clientId);
  };
  const consentId = (await consent())?.consentId ?? "";
  const act = (name: keyof typeof acts, more: [string, string][] = []) =>
    visitor.post(acts[name], [["csrf", csrf], ["consent_id", consentId], ...more]);
  return { app, visitor, consent, consentId, csrf, act };
}

const leadsTo = (response: Response) => response.headers.get("location");

describe("the forms of a connected application", () => {
  test("pause it and let it go on", async () => {
    const { consent, act } = await connected();
    expect(leadsTo(await act("pause"))).toBe("/account/apps?done=paused");
    expect(await consent()).toMatchObject({ paused: true });
    expect(leadsTo(await act("resume"))).toBe("/account/apps?done=resumed");
    expect(await consent()).toMatchObject({ paused: false });
  });

  test("take away what is unticked, all of it where no box is ticked", async () => {
    const { consent, act } = await connected();
    const shown: [string, string][] = [
      ["shown", "identity"],
      ["shown", "faction"],
    ];
    expect(leadsTo(await act("narrow", [...shown, ["scope", "faction"]]))).toBe(
      "/account/apps?done=narrowed",
    );
    expect((await consent())?.scopes.map(({ name }) => name)).toEqual(["faction"]);
    expect((await act("narrow", [["scope", "faction"]])).status).toBe(400);
    await act("narrow", shown);
    expect((await consent())?.scopes).toEqual([]);
  });

  test("of a stale tab take nothing that was allowed since it was opened", async () => {
    const { app, visitor, consent, csrf, act } = await connected();
    await act("narrow", [
      ["shown", "identity"],
      ["shown", "faction"],
      ["scope", "identity"],
    ]);
    const stale: [string, string][] = [["shown", "identity"]];
    const asked = requestIdOf(
      await visitor.authorize(authorizationQuery(app, { scope: "identity faction" })),
    );
    const allowed = { decision: "approve", allowed: "identity", csrf };
    await visitor.post(at(postDecision, { requestId: asked }), allowed);
    await act("narrow", stale);
    expect((await consent())?.scopes.map(({ name }) => name)).toEqual(["faction"]);
  });

  test("lead back to the application's own page where they were sent from it, and nowhere else", async () => {
    const { app, visitor, consentId, csrf, act } = await connected();
    expect(leadsTo(await act("pause", [["app", app.clientId]]))).toBe(
      `/account/apps/${app.clientId}?done=paused`,
    );
    for (const forged of ["//evil.test", "../../sign-out", "https://evil.test"])
      expect(leadsTo(await act("resume", [["app", forged]]))).toBe("/account/apps?done=resumed");
    const fields = { csrf, consent_id: consentId, app: app.clientId };
    const revoked = await visitor.post(postRevokeConsent, fields);
    expect(leadsTo(revoked)).toBe(`/account/apps/${app.clientId}?done=revoked`);
    expect(leadsTo(await act("pause"))).toBe("/account/apps?done=gone");
  });
});
