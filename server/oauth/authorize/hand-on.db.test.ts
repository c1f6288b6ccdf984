import { describe, expect, test } from "vitest";
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
  TestBrowser,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { hostedCallbackUri } from "../redirect-uri";
import { showCallback } from "./read-callback";
import { showPendingRequest, showRequest } from "./show-request";
import { resumeRequest } from "./start-authorization";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const { user: owner, browser } = await mintVisitor(ctx);
const serverSide = await mintApplication(ctx, owner);
const published = await mintApplication(ctx, owner, { kind: "public", redirectUris: [] });
const { baseUrl } = ctx.settings;
const locally = (app: TestApplication) => ({
  ...app,
  redirectUri: hostedCallbackUri(baseUrl, app.clientId),
});

async function answerFor(app: TestApplication, user: PortalUser, as: TestBrowser) {
  const asked = await as.authorize(authorizationQuery(locally(app), { state: "s p&a=c" }));
  // The owner approved before, so is not asked again.
  const answered = new URL(asked.headers.get("location") ?? "");
  const { searchParams } = answered.searchParams.has("code")
    ? answered
    : await as.decide(asked, user);
  return Object.fromEntries(searchParams) as { code: string; state: string; iss: string };
}
const shownTo = (user: PortalUser | null, app: TestApplication, sent: Record<string, string>) =>
  showCallback(ctx, { clientId: app.clientId, sent, user });

describe("an answer that came to the hosted callback", () => {
  test.each([
    ["server-side", serverSide],
    ["public", published],
  ])(
    "of a %s application is handed on whole to its owner, and works in the exchange",
    async (_, app) => {
      const sent = await answerFor(app, owner, browser);
      const shown = await shownTo(owner, app, sent);
      expect(Object.fromEntries(shown?.handOn?.parameters ?? [])).toEqual({
        ...sent,
        state: "s p&a=c",
        iss: baseUrl,
      });
      const token = await postToken(ctx, app, redemption(locally(app), sent.code));
      expect(token.status).toBe(200);
    },
  );

  test("is handed on to nobody else, and of a server-side application not even shown", async () => {
    const { user: other, browser: theirs } = await mintVisitor(ctx);
    const sent = await answerFor(serverSide, owner, browser);
    for (const visitor of [null, other])
      expect(await shownTo(visitor, serverSide, sent)).toBeNull();
    const player = await answerFor(published, other, theirs);
    for (const visitor of [null, other])
      expect((await shownTo(visitor, published, player))?.handOn).toBeNull();
  });

  test("is not handed on when it is another player's code, which the owner was led here with", async () => {
    const { user: attacker, browser: theirs } = await mintVisitor(ctx);
    const sent = await answerFor(published, attacker, theirs);
    expect((await shownTo(owner, published, sent))?.handOn).toBeNull();
    expect(await shownTo(owner, serverSide, sent)).toBeNull();
    expect(await shownTo(owner, serverSide, { ...sent, iss: "https://elsewhere.test" })).toBeNull();
  });

  test("is handed on as well when it is an error", async () => {
    const shown = await shownTo(owner, serverSide, {
      error: "access_denied",
      state: "x",
      iss: baseUrl,
    });
    expect(shown?.handOn?.parameters).toEqual([
      ["error", "access_denied"],
      ["state", "x"],
      ["iss", baseUrl],
    ]);
  });
});

describe("a code that the hosted callback shows", () => {
  test("has its time left, by its own expiry, until it is used; of another application it is none", async () => {
    const { user, browser: theirs } = await mintVisitor(ctx);
    const sent = await answerFor(published, user, theirs);
    const now = clock.now();
    const until = new Date(now.getTime() + ctx.settings.lifetimes.code * 1_000);
    expect((await shownTo(user, published, sent))?.code).toEqual({ until, now, used: false });
    expect((await shownTo(null, published, sent))?.code).toMatchObject({ until });
    const other = await mintApplication(ctx, owner, { kind: "public", redirectUris: [] });
    expect((await shownTo(user, other, sent))?.code).toBeNull();
    await postToken(ctx, published, redemption(locally(published), sent.code));
    expect((await shownTo(user, published, sent))?.code).toMatchObject({ used: true });
  });

  test("is told before the sign-in and the consent, where no host is named", async () => {
    const { user, browser: theirs } = await mintVisitor(ctx);
    const open = {
      requestId: requestIdOf(await theirs.authorize(authorizationQuery(locally(published)))),
      user,
    };
    const asked = { ...open, browserId: theirs.browserId };
    expect(await showPendingRequest(ctx, asked)).toMatchObject({ redirectHost: null });
    expect(await showRequest(ctx, asked.user, asked)).toMatchObject({ redirectHost: null });
  });
});

describe("the hosted callback of a server-side application", () => {
  const query = authorizationQuery(locally(serverSide));

  test("is no redirect URI for a player who is not its owner, nor for nobody", async () => {
    const { browser: theirs } = await mintVisitor(ctx);
    for (const each of [theirs, new TestBrowser(ctx)])
      expect((await each.authorize(query)).status).toBe(400);
  });

  test("leads the next player at the owner's browser nowhere", async () => {
    const shared = await TestBrowser.signedIn(ctx, owner);
    const asked = await shared.authorize({ ...query, prompt: "consent" });
    const open = {
      requestId: requestIdOf(asked),
      browserId: shared.browserId,
      user: await mintUser(ctx),
    };
    const refused = { reason: "REQUEST_FOREIGN" };
    await expect(resumeRequest(ctx, open.user, { ...open })).rejects.toMatchObject(refused);
    await expect(showRequest(ctx, open.user, open)).rejects.toMatchObject(refused);
    await expect(shared.decide(asked, open.user)).rejects.toMatchObject(refused);
  });

  test("is none of another application's", async () => {
    const other = await mintApplication(ctx, owner);
    expect((await browser.authorize({ ...query, client_id: other.clientId })).status).toBe(400);
  });
});
