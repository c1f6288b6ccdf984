import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { consents } from "#db/schema/oauth";
import type { PortalUser } from "#server/actor";
import { testDatabase } from "#server/testing/database";
import {
  applicationInput,
  authorizationQuery,
  mintApplication,
  mintVisitor,
  postToken,
  redemption,
  requestIdOf,
  type TestApplication,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { updateApplication } from "../clients/application-acts";
import type { ApplicationInput } from "../clients/contract";
import { narrowConsent, pauseConsent, revokeAllConsents } from "../consents/consent-acts";
import { decideRequest } from "./decide-request";
import { showRequest } from "./show-request";
import { resumeRequest } from "./start-authorization";

type Approval = Partial<Parameters<typeof decideRequest>[2]>;

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const owner = await mintUser(ctx);
const scopes = ["identity", "faction", "service_key:usage"] as const;
const conf = await mintApplication(ctx, owner, { scopes: [...scopes] });
const pub = await mintApplication(ctx, owner, {
  kind: "public",
  redirectUris: [],
  scopes: [...scopes],
});

/** A player with a one-minute-old consent to these scopes. */
async function acquainted(app: TestApplication, scope: string, approval: Approval = {}) {
  clock.advance(60);
  const { user, browser } = await mintVisitor(ctx);
  const ask = async (differing: Record<string, string>) => {
    const response = await browser.authorize(authorizationQuery(app, differing));
    const location = new URL(response.headers.get("location") ?? "");
    const page =
      location.origin === ctx.settings.baseUrl ? location.pathname.split("/")[1] : "client";
    return {
      page,
      location,
      asked: { requestId: requestIdOf(response), browserId: browser.browserId, user },
    };
  };
  const approve = async (asked: Awaited<ReturnType<typeof ask>>["asked"], more: Approval = {}) => {
    const { location } = await decideRequest(ctx, asked.user, {
      ...asked,
      decision: "approve",
      ...more,
    });
    const response = await postToken(
      ctx,
      app,
      redemption(app, new URL(location).searchParams.get("code") ?? ""),
    );
    return (await response.json()).scope as string;
  };
  await approve((await ask({ scope })).asked, approval);
  return { user, ask, approve };
}

const consentOf = async (user: PortalUser) => {
  const rows = await ctx.database.query
    .select()
    .from(consents)
    .where(eq(consents.accountId, user.accountId));
  const live = rows.filter(({ revokedAt }) => revokedAt === null);
  if (live.length > 1) throw new Error("There is one live consent per player and application.");
  return live[0];
};
const names = (words: readonly { name: string }[]) => words.map(({ name }) => name);

describe("with a remembered consent", () => {
  test("only what is new is asked; what was allowed is said, and the grant has both", async () => {
    const { user, ask, approve } = await acquainted(conf, "identity");
    const { page, asked } = await ask({ scope: "identity faction:banking" });
    expect(page).toBe("consent");
    const view = await showRequest(ctx, asked.user, asked);
    expect([names(view.allowed), names(view.asked)]).toEqual([["identity"], ["faction:banking"]]);
    expect(view.earlier).toEqual({ scopes: ["identity"], until: null, paused: false });
    expect(await approve(asked)).toBe("identity faction:banking");
    expect([...((await consentOf(user))?.scopes ?? [])].sort()).toEqual([
      "faction:banking",
      "identity",
    ]);
    expect((await ask({ scope: "faction:banking identity" })).page).toBe("client");
  });

  test("denying what is new leaves what was allowed", async () => {
    const { user, ask } = await acquainted(conf, "identity");
    const { asked } = await ask({ scope: "identity faction" });
    await decideRequest(ctx, asked.user, { ...asked, decision: "deny" });
    expect((await consentOf(user))?.scopes).toEqual(["identity"]);
    expect((await ask({ scope: "identity" })).page).toBe("client");
  });

  test("a public application is asked for what is new, by an https address of its own", async () => {
    const own = await mintApplication(ctx, owner, { kind: "public", scopes: [...scopes] });
    const { ask } = await acquainted(own, "identity");
    expect((await ask({ scope: "identity" })).page).toBe("client");
    const { asked } = await ask({ scope: "identity faction" });
    const view = await showRequest(ctx, asked.user, asked);
    expect([names(view.allowed), names(view.asked), view.asksEachTime]).toEqual([
      ["identity"],
      ["faction"],
      false,
    ]);
  });

  test("a public application is asked for everything, each time, by the hosted callback", async () => {
    const { ask } = await acquainted(pub, "identity");
    const { page, asked } = await ask({ scope: "identity faction" });
    expect(page).toBe("consent");
    const view = await showRequest(ctx, asked.user, asked);
    expect([names(view.allowed), names(view.asked), view.asksEachTime]).toEqual([
      [],
      ["identity", "faction"],
      true,
    ]);
  });

  test("an approval sets a new end for all of it, or leaves the one that was chosen before", async () => {
    const { user, ask, approve } = await acquainted(conf, "identity", { until: "revoked" });
    await approve((await ask({ scope: "identity faction" })).asked, { until: "day" });
    const end = new Date(ctx.now().getTime() + 86_400_000);
    expect((await consentOf(user))?.until).toEqual(end);
    clock.advance(60);
    const { asked } = await ask({ scope: "identity service_key:usage" });
    expect((await showRequest(ctx, asked.user, asked)).earlier?.until).toEqual(end);
    await approve(asked, { until: "earlier" });
    expect((await consentOf(user))?.until).toEqual(end);
    const last = await ask({ scope: "identity faction", prompt: "consent" });
    await revokeAllConsents(ctx, user);
    await expect(approve(last.asked, { until: "earlier" })).rejects.toMatchObject({
      reason: "REQUEST_CHANGED",
    });
  });

  test.each(["day", "month"] as const)(
    "of an approval for a %s that is over the page knows the length, until it is revoked",
    async (until) => {
      const { user, ask, approve } = await acquainted(conf, "identity");
      const view = async () => {
        const { asked } = await ask({ scope: "identity", prompt: "consent" });
        return showRequest(ctx, asked.user, asked);
      };
      await approve((await ask({ scope: "identity", prompt: "consent" })).asked, { until });
      expect((await view()).lapsed, "it still stands").toBeNull();
      clock.advance(31 * 86_400);
      expect(await view()).toMatchObject({ earlier: null, lapsed: until });
      await revokeAllConsents(ctx, user);
      expect((await view()).lapsed).toBeNull();
    },
  );

  test("a scope that was taken away is new again, and what an open page calls allowed is asked again", async () => {
    const { user, ask, approve } = await acquainted(conf, "identity faction");
    const { asked } = await ask({ scope: "identity faction service_key:usage" });
    const shown = {
      allowed: names((await showRequest(ctx, asked.user, asked)).allowed),
      optional: [],
    };
    const consentId = (await consentOf(user))?.id ?? "";
    await narrowConsent(ctx, user, {
      consentId,
      shown: ["identity", "faction"],
      keep: ["identity"],
    });
    await expect(approve(asked, { shown })).rejects.toMatchObject({ reason: "REQUEST_CHANGED" });
    expect((await consentOf(user))?.scopes).toEqual(["identity"]);
    const view = await showRequest(ctx, asked.user, asked);
    expect([names(view.allowed), names(view.asked)]).toEqual([
      ["identity"],
      ["faction", "service_key:usage"],
    ]);
    await revokeAllConsents(ctx, user);
    await expect(
      approve(asked, { shown: { allowed: ["identity"], optional: [] } }),
    ).rejects.toMatchObject({
      reason: "REQUEST_CHANGED",
    });
    expect(await consentOf(user)).toBeUndefined();
  });

  test("a paused one asks, says so, and an approval lets the application go on", async () => {
    const { user, ask, approve } = await acquainted(conf, "identity");
    await pauseConsent(ctx, user, { consentId: (await consentOf(user))?.id ?? "" });
    expect(
      (await ask({ scope: "identity", prompt: "none" })).location.searchParams.get("error"),
    ).toBe("consent_required");
    const { page, asked } = await ask({ scope: "identity" });
    expect(page).toBe("consent");
    const view = await showRequest(ctx, asked.user, asked);
    expect([names(view.allowed), names(view.asked), view.earlier?.paused]).toEqual([
      ["identity"],
      [],
      true,
    ]);
    expect(await approve(asked)).toBe("identity");
    expect((await consentOf(user))?.pausedAt).toBeNull();
  });
});

describe("AZ-28 AZ-29: prompt, where some scopes are new", () => {
  test("none is refused with consent_required and saves nothing; without new scopes it answers", async () => {
    const { ask } = await acquainted(conf, "identity");
    const wider = await ask({ scope: "identity faction", prompt: "none" });
    expect(wider.page).toBe("client");
    expect(Object.fromEntries(wider.location.searchParams)).toMatchObject({
      error: "consent_required",
      state: "xyz",
    });
    expect(
      (await ask({ scope: "identity", prompt: "none" })).location.searchParams.has("code"),
    ).toBe(true);
  });

  test("login wants the sign-in, then asks only what is new", async () => {
    const { user, ask } = await acquainted(conf, "identity");
    const { page, asked } = await ask({ scope: "identity faction", prompt: "login" });
    expect(page).toBe("sign-in");
    clock.advance(1);
    const signedIn = { ...asked, user: { ...user, authenticatedAt: ctx.now() } };
    expect((await resumeRequest(ctx, signedIn.user, { ...signedIn })).kind).toBe("consent");
    expect(names((await showRequest(ctx, signedIn.user, signedIn)).asked)).toEqual(["faction"]);
  });

  test.each(["consent", "login consent"])("%s asks all of it again", async (prompt) => {
    const { user, ask } = await acquainted(conf, "identity");
    const { asked } = await ask({ scope: "identity faction", prompt });
    clock.advance(1);
    const view = await showRequest(ctx, { ...user, authenticatedAt: ctx.now() }, { ...asked });
    expect([names(view.allowed), names(view.asked)]).toEqual([[], ["identity", "faction"]]);
  });
});

describe("a remembered consent", () => {
  /** An approved application, changed by its owner. */
  const approvedAndChanged = async (change: Partial<ApplicationInput>) => {
    const app = await mintApplication(ctx, owner, { scopes: [...scopes] });
    const { ask, approve } = await acquainted(app, "identity");
    expect((await ask({ scope: "identity" })).page).toBe("client");
    const { kind: _kind, ...said } = applicationInput({ scopes: [...scopes], ...change });
    const edit = { ...said, clientId: app.clientId, version: 1 };
    const by = { ...owner, confirmedAt: ctx.now() };
    await updateApplication(ctx, by, edit);
    return { ask, approve };
  };

  test.each([
    [
      "a rename",
      { name: "Renamed" },
      { formerName: "Test application", newHosts: [], newOwner: false },
    ],
    [
      "a new redirect host",
      { redirectUris: ["https://client.test/cb", "https://evil.test/cb"] },
      { formerName: null, newHosts: ["evil.test"], newOwner: false },
    ],
  ])("asks once more after %s, and says what changed", async (_, change, changed) => {
    const { ask, approve } = await approvedAndChanged(change);
    const { page, asked } = await ask({ scope: "identity" });
    expect(page).toBe("consent");
    const view = await showRequest(ctx, asked.user, asked);
    expect(view.changed).toEqual(changed);
    expect(view.asked.map(({ name }) => name)).toEqual(["identity"]);
    await approve(asked);
    expect((await ask({ scope: "identity" })).page).toBe("client");
  });

  test("holds where a path of a known host is added", async () => {
    const { ask } = await approvedAndChanged({
      redirectUris: ["https://client.test/cb", "https://client.test/other"],
    });
    expect((await ask({ scope: "identity" })).page).toBe("client");
  });
});
