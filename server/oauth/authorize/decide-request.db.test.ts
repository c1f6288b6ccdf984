import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { applications, consents } from "#db/schema/oauth";
import type { PortalUser } from "#server/actor";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  mintApplication,
  mintVisitor,
  postToken,
  redemption,
  requestIdOf,
  type TestApplication,
  type TestBrowser,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource } from "#server/testing/world";
import { deleteApplication } from "../clients/application-acts";
import { decideRequest } from "./decide-request";
import { showPendingRequest, showRequest } from "./show-request";
import { resumeRequest } from "./start-authorization";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const owner = await mintUser(ctx, { name: "Dev" });
const conf = await mintApplication(ctx, owner, {
  scopes: ["identity", "faction", "service_key:usage"],
});
const pub = await mintApplication(ctx, owner, { kind: "public", redirectUris: [] });
const _origin = testSource;

/** A new player in a new browser, signed in a moment ago. */
async function arrive() {
  clock.advance(60);
  return mintVisitor(ctx);
}

const signInAgain = (user: PortalUser): PortalUser => ({
  ...user,
  authenticatedAt: ctx.now(),
  confirmedAt: ctx.now(),
});

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

async function askedOfNew(differing: Record<string, string> = {}) {
  const { user, browser } = await arrive();
  const { asked } = await ask(browser, conf, differing);
  return { user, browser, asked: { ...asked, user } };
}

const approve = (asked: { requestId: string; browserId: string | null; user: PortalUser }) =>
  decideRequest(ctx, asked.user, { ...asked, decision: "approve" });
const consentsOf = (user: PortalUser) =>
  ctx.database.query.select().from(consents).where(eq(consents.accountId, user.accountId));

describe("the consent page", () => {
  test("AZ-44: shows who asks, for what, and where it leads", async () => {
    const { asked } = await askedOfNew({ scope: "faction:banking identity" });
    expect(await showRequest(ctx, asked.user, asked)).toMatchObject({
      application: {
        clientId: conf.clientId,
        name: "Test application",
        kind: "confidential",
        ownerName: "Dev",
        verified: false,
        clientUri: "https://client.test/",
        privacyUri: "https://client.test/privacy",
        users: { count: 0, more: false },
        privacy: { data: "Your name." },
      },
      asked: [{ name: "identity", title: "Know who you are" }, { name: "faction:banking" }],
      optional: [],
      allowed: [],
      redirectHost: "client.test",
      earlier: null,
    });
  });

  test("the sign-in page says what waits, to the browser that asked and to no other", async () => {
    const { asked } = await askedOfNew();
    expect(await showPendingRequest(ctx, asked)).toEqual({
      application: {
        ...{ clientId: conf.clientId, name: "Test application" },
        ...{ emblemSign: null, emblemColour: null },
      },
      scopes: ["identity"],
      redirectHost: "client.test",
    });
    expect(await showPendingRequest(ctx, { ...asked, browserId: "x".repeat(43) })).toBeNull();
  });

  test("is refused to another browser, to nobody's browser, and for what is no request", async () => {
    const { asked } = await askedOfNew();
    await expect(
      showRequest(ctx, asked.user, { ...asked, browserId: "x".repeat(43) }),
    ).rejects.toMatchObject({
      reason: "REQUEST_FOREIGN",
    });
    await expect(showRequest(ctx, asked.user, { ...asked, browserId: null })).rejects.toMatchObject(
      {
        reason: "REQUEST_FOREIGN",
      },
    );
    for (const requestId of [ctx.ids.uuid(), "nonsense"])
      await expect(showRequest(ctx, asked.user, { ...asked, requestId })).rejects.toMatchObject({
        reason: "REQUEST_UNKNOWN",
      });
  });
});

describe("an answer", () => {
  test("AZ-34: deny tells the client, and leaves no consent (§7 row 33)", async () => {
    const { user, asked } = await askedOfNew();
    await showRequest(ctx, asked.user, asked);
    const { location } = await decideRequest(ctx, asked.user, { ...asked, decision: "deny" });
    const parameters = new URL(location).searchParams;
    expect(Object.fromEntries(parameters)).toMatchObject({
      error: "access_denied",
      state: "xyz",
      iss: ctx.settings.baseUrl,
    });
    expect(await consentsOf(user)).toEqual([]);
  });

  test("AZ-41: counts once", async () => {
    const { asked } = await askedOfNew();
    await approve(asked);
    clock.advance(31);
    await expect(approve(asked)).rejects.toMatchObject({ reason: "REQUEST_DECIDED" });
    await expect(showRequest(ctx, asked.user, asked)).rejects.toMatchObject({
      reason: "REQUEST_DECIDED",
    });
  });

  test("AZ-42: is refused after ten minutes", async () => {
    const { asked } = await askedOfNew();
    await showRequest(ctx, asked.user, asked);
    clock.advance(600);
    await expect(approve(asked)).rejects.toMatchObject({ reason: "REQUEST_EXPIRED" });
  });

  test("AZ-42: is refused after another account signed in, by page and by decision", async () => {
    const { asked } = await askedOfNew();
    await showRequest(ctx, asked.user, asked);
    const other = { ...asked, user: signInAgain(await mintUser(ctx)) };
    await expect(approve(other)).rejects.toMatchObject({ reason: "REQUEST_FOREIGN" });
    await expect(showRequest(ctx, other.user, other)).rejects.toMatchObject({
      reason: "REQUEST_FOREIGN",
    });
    await expect(resumeRequest(ctx, other.user, { ...other })).rejects.toMatchObject({
      reason: "REQUEST_FOREIGN",
    });
  });

  test("is judged by what is registered when it is given", async () => {
    const app = await mintApplication(ctx, owner, { name: "Changing" });
    const change = (fields: Partial<typeof applications.$inferInsert>) =>
      ctx.database.query
        .update(applications)
        .set(fields)
        .where(eq(applications.clientId, app.clientId));
    const { user, browser } = await arrive();
    const requests = [await ask(browser, app), await ask(browser, app), await ask(browser, app)];
    const [first, second, third] = requests.map(({ asked }) => ({ ...asked, user }));
    if (!first || !second || !third) throw new Error("Three requests were made.");

    await change({ scopes: ["faction"] });
    expect(new URL((await approve(first)).location).searchParams.get("error")).toBe(
      "invalid_scope",
    );
    await change({ scopes: ["identity"], redirectUris: ["https://elsewhere.test/"] });
    await expect(approve(second)).rejects.toMatchObject({ reason: "REQUEST_UNKNOWN" });
    await change({ redirectUris: ["https://client.test/cb"] });
    await deleteApplication(ctx, owner, { clientId: app.clientId, confirmName: "Changing" });
    await expect(approve(third)).rejects.toMatchObject({ reason: "REQUEST_UNKNOWN" });
    expect(await consentsOf(user)).toEqual([]);
  });

  test("says for how long: a day, a month, or until it is taken back", async () => {
    const days = { day: 1, month: 30 } as const;
    for (const until of ["day", "month", "revoked"] as const) {
      const { user, asked } = await askedOfNew();
      const { location } = await decideRequest(ctx, asked.user, {
        ...asked,
        decision: "approve",
        until,
      });
      const end =
        until === "revoked" ? null : new Date(ctx.now().getTime() + days[until] * 86_400_000);
      expect(await consentsOf(user)).toMatchObject([{ until: end }]);
      const code = new URL(location).searchParams.get("code") ?? "";
      expect((await postToken(ctx, conf, redemption(conf, code))).status).toBe(200);
    }
  });
});

describe("a remembered consent", () => {
  test("AZ-46: is found after the sign-in, for the same request", async () => {
    const { user, browser } = await arrive();
    await browser.decide((await ask(browser)).response, user);
    browser.signOut();
    const { kind, asked } = await ask(browser, conf, { state: "later" });
    expect(kind).toBe("sign-in");
    const onward = await resumeRequest(ctx, signInAgain(user), { ...asked });
    if (onward.kind !== "redirect") throw new Error("The remembered consent was not found.");
    expect(Object.fromEntries(new URL(onward.location).searchParams)).toMatchObject({
      code: expect.any(String),
      state: "later",
    });
    await expect(resumeRequest(ctx, user, { ...asked })).rejects.toMatchObject({
      reason: "REQUEST_DECIDED",
    });
  });

  test("answers at once, however old the sign-in, and only for what it covers", async () => {
    const { user, browser } = await arrive();
    await browser.decide((await ask(browser, conf, { scope: "faction" })).response, user);
    clock.advance(3_600);
    expect(
      (await ask(browser, conf, { scope: "faction:banking" })).location.searchParams.has("code"),
    ).toBe(true);
    const wider = await ask(browser, conf, { scope: "faction identity" });
    expect(wider.kind).toBe("consent");
    const view = await showRequest(ctx, signInAgain(user), { ...wider.asked });
    expect(view).toMatchObject({ asked: [{ name: "identity" }], allowed: [{ name: "faction" }] });
    await approve({ ...wider.asked, user: signInAgain(user) });
    const [consent, ...more] = await consentsOf(user);
    expect(more).toEqual([]);
    expect(new Set(consent?.scopes)).toEqual(new Set(["faction", "identity"]));
  });

  test("AZ-29: prompt=login wants a new sign-in, prompt=consent a new answer", async () => {
    const { user, browser } = await arrive();
    await browser.decide((await ask(browser)).response, user);
    expect((await ask(browser, conf, { prompt: "consent" })).kind).toBe("consent");
    const login = await ask(browser, conf, { prompt: "login" });
    expect(login.kind).toBe("sign-in");
    await expect(showRequest(ctx, user, { ...login.asked })).rejects.toMatchObject({
      reason: "SIGN_IN_STALE",
    });
    await expect(resumeRequest(ctx, user, { ...login.asked })).rejects.toMatchObject({
      reason: "SIGN_IN_STALE",
    });
    clock.advance(1);
    const again = await resumeRequest(ctx, signInAgain(user), { ...login.asked });
    expect(again.kind).toBe("redirect");
    const both = await ask(browser, conf, { prompt: "login consent" });
    expect(both.kind).toBe("sign-in");
    clock.advance(1);
    expect((await resumeRequest(ctx, signInAgain(user), { ...both.asked })).kind).toBe("consent");
  });

  test("of a public client answers by an https address of its own, for as long as the player chose", async () => {
    const own = await mintApplication(ctx, owner, {
      kind: "public",
      redirectUris: ["https://client.test/own"],
    });
    for (const [until, seconds] of [
      ["day", 86_400],
      ["month", 30 * 86_400],
    ] as const) {
      const { user, browser } = await arrive();
      const { asked } = await ask(browser, own);
      await decideRequest(ctx, user, { ...asked, decision: "approve", until });
      expect((await ask(browser, own)).location.searchParams.get("code")).toMatch(/^adj_ac_/);
      expect(
        (await ask(browser, own, { prompt: "none" })).location.searchParams.get("code"),
      ).toMatch(/^adj_ac_/);
      expect((await ask(browser, own, { prompt: "consent" })).kind).toBe("consent");
      expect((await ask(browser, own, { scope: "identity faction" })).kind).toBe("consent");
      // An earlier consent does not cover the hosted callback.
      const hosted = `${ctx.settings.baseUrl}/oauth/${own.clientId}/callback`;
      expect((await ask(browser, own, { redirect_uri: hosted })).kind).toBe("consent");
      clock.advance(seconds);
      expect((await ask(browser, own)).kind).toBe("consent");
    }
  });

  test("AZ-44: does not exist for a public client by the hosted callback, where it is asked for every time", async () => {
    const { user, browser } = await arrive();
    await browser.decide((await ask(browser, pub)).response, user);
    expect((await ask(browser, pub)).kind).toBe("consent");
    expect((await ask(browser, pub, { prompt: "none" })).location.searchParams.get("error")).toBe(
      "consent_required",
    );
  });

  test("does not answer while it is paused or after its end, and an expired one lends nothing to the next", async () => {
    const { user, browser } = await arrive();
    const { asked } = await ask(browser, conf, { scope: "identity faction" });
    await decideRequest(ctx, user, { ...asked, decision: "approve", until: "day" });
    const pause = (pausedAt: Date | null) =>
      ctx.database.query
        .update(consents)
        .set({ pausedAt })
        .where(eq(consents.accountId, user.accountId));
    await pause(ctx.now());
    expect((await ask(browser)).kind).toBe("consent");
    await pause(null);
    expect((await ask(browser)).kind).toBe("client");
    clock.advance(86_400);
    const after = await ask(browser);
    expect(after.kind).toBe("consent");
    await approve({ ...after.asked, user: signInAgain(user) });
    const live = (await consentsOf(user)).filter(({ revokedAt }) => revokedAt === null);
    expect(live).toMatchObject([{ scopes: ["identity"], until: null }]);
  });
});

describe("the same answer twice", () => {
  const twice = async (decision: "approve" | "deny") => {
    const { asked } = await askedOfNew();
    const answer = { ...asked, decision };
    const { location } = await decideRequest(ctx, answer.user, answer);
    return { answer, location };
  };

  test.each(["approve", "deny"] as const)("a second %s leads to the same address", async (word) => {
    const { answer, location } = await twice(word);
    clock.advance(5);
    expect(await decideRequest(ctx, answer.user, answer)).toEqual({ location });
  });

  test("two at one moment give one code and one grant", async () => {
    const { asked } = await askedOfNew();
    const answers = await Promise.all([approve(asked), approve(asked)]);
    expect(answers[0]).toEqual(answers[1]);
  });

  test("another answer, session or browser, and a late one, are refused", async () => {
    const { answer } = await twice("approve");
    const decided = { reason: "REQUEST_DECIDED" };
    await expect(
      decideRequest(ctx, answer.user, { ...answer, decision: "deny" }),
    ).rejects.toMatchObject(decided);
    const elsewhere = { ...answer.user, sessionHash: "another" };
    await expect(decideRequest(ctx, elsewhere, { ...answer })).rejects.toMatchObject(decided);
    const foreign = { ...answer, browserId: "A".repeat(43) };
    await expect(decideRequest(ctx, foreign.user, foreign)).rejects.toMatchObject({
      reason: "REQUEST_FOREIGN",
    });
    clock.advance(31);
    await expect(decideRequest(ctx, answer.user, answer)).rejects.toMatchObject(decided);
  });

  test("a code that was used is not handed out again, and its grant lives on", async () => {
    const { answer, location } = await twice("approve");
    const code = new URL(location).searchParams.get("code") ?? "";
    expect((await postToken(ctx, conf, redemption(conf, code))).status).toBe(200);
    await expect(decideRequest(ctx, answer.user, answer)).rejects.toMatchObject({
      reason: "REQUEST_DECIDED",
    });
  });
});
