import { describe, expect, test } from "vitest";
import type { PortalUser } from "#server/actor";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  mintApplication,
  mintVisitor,
  requestIdOf,
  type TestApplication,
  type TestBrowser,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { revokeAllConsents } from "../consents/consent-acts";
import { decideRequest } from "./decide-request";
import { showRequest } from "./show-request";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const owner = await mintUser(ctx, { name: "Dev" });
const conf = await mintApplication(ctx, owner, {
  scopes: ["identity", "faction", "service_key:usage"],
});

/** A new player in a new browser, signed in a moment ago. */
async function arrive() {
  clock.advance(60);
  return mintVisitor(ctx);
}

/** @returns where the browser was sent: to the sign-in, the consent page or the client */
async function ask(
  browser: TestBrowser,
  app: TestApplication = conf,
  differing: Record<string, string> = {},
) {
  const response = await browser.authorize(authorizationQuery(app, differing));
  const location = new URL(response.headers.get("location") ?? "");
  const kind = location.pathname === "/sign-in" ? "sign-in" : location.pathname.split("/")[1];
  const asked = { requestId: requestIdOf(response), browserId: browser.browserId };
  return {
    kind: location.origin === ctx.settings.baseUrl ? kind : "client",
    location,
    asked,
    response,
  };
}

const approve = (asked: { requestId: string; browserId: string | null; user: PortalUser }) =>
  decideRequest(ctx, asked.user, { ...asked, decision: "approve" });

describe("a consent and the confirmation of its session", () => {
  test("is shown to a live session, however old", async () => {
    const { user, browser } = await arrive();
    clock.advance(86_400);
    const { kind, asked } = await ask(browser);
    expect(kind).toBe("consent");
    await showRequest(ctx, user, { ...asked });
    expect((await approve({ ...asked, user })).location).toContain("code=");
  });

  test.each([
    ["service_key:usage", "CONFIRMATION_WANTED"],
    ["faction:banking", "CONFIRMATION_WANTED"],
    ["faction", "CONFIRMATION_WANTED"],
    ["identity faction:banking", "CONFIRMATION_WANTED"],
    ["identity", "shown"],
    ["faction:crimes", "shown"],
  ])("for %s from a session that was confirmed two hours ago is: %s", async (scope, outcome) => {
    const { user, browser } = await arrive();
    clock.advance(7_200);
    const { kind, asked } = await ask(browser, conf, { scope });
    expect(kind).toBe("consent");
    const shown = (as: PortalUser) =>
      showRequest(ctx, as, { ...asked }).then(
        () => "shown",
        ({ reason: why }) => why,
      );
    expect(await shown(user)).toBe(outcome);
    expect(await shown({ ...user, confirmedAt: ctx.now() })).toBe("shown");
  });

  test("wants no confirmation for a sensitive scope that an earlier consent holds, and wants it again once that is revoked", async () => {
    const { user, browser } = await arrive();
    await browser.decide((await ask(browser, conf, { scope: "service_key:usage" })).response, user);
    clock.advance(7_200);
    const wider = await ask(browser, conf, { scope: "service_key:usage identity" });
    await showRequest(ctx, user, { ...wider.asked });
    await revokeAllConsents(ctx, user);
    const again = await ask(browser, conf, { scope: "service_key:usage identity" });
    const shown = showRequest(ctx, user, { ...again.asked });
    await expect(shown).rejects.toMatchObject({ reason: "CONFIRMATION_WANTED" });
  });

  test("wants none from day to day either, where the earlier consent was for a day and is over", async () => {
    const { user, browser } = await arrive();
    const script = await mintApplication(ctx, owner, {
      kind: "public",
      redirectUris: [],
      scopes: ["service_key:usage"],
    });
    const approveDay = async () => {
      const { kind, asked } = await ask(browser, script, { scope: "service_key:usage" });
      expect(kind).toBe("consent");
      await showRequest(ctx, user, { ...asked });
      return decideRequest(ctx, user, { ...asked, decision: "approve", until: "day" });
    };
    for (let day = 0; day < 3; day++) {
      expect((await approveDay()).location).toContain("code=");
      clock.advance(86_400);
    }
    await revokeAllConsents(ctx, user);
    await expect(approveDay()).rejects.toMatchObject({ reason: "CONFIRMATION_WANTED" });
  });

  test("can be answered after the confirmation has become too old, if it was shown before", async () => {
    const { user, browser } = await arrive();
    clock.advance(7_190);
    const { asked } = await ask(browser, conf, { scope: "service_key:usage" });
    await showRequest(ctx, user, { ...asked });
    clock.advance(300);
    expect((await approve({ ...asked, user })).location).toContain("code=");
  });

  test("to a request that was never shown wants the confirmation that the page would have wanted; a denial wants none", async () => {
    const { user, browser } = await arrive();
    clock.advance(7_200);
    const { asked } = await ask(browser, conf, { scope: "service_key:usage" });
    await expect(approve({ ...asked, user })).rejects.toMatchObject({
      reason: "CONFIRMATION_WANTED",
    });
    const { location } = await decideRequest(ctx, user, { ...asked, decision: "deny" });
    expect(location).toContain("error=access_denied");
  });
});
