import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { notices } from "#db/schema/accounts";
import { applicationTesters, grants } from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { deleteAccount, exportAccount } from "#server/account/account-acts";
import { createOperator, type PortalUser } from "#server/actor";
import { banAccount, unbanAccount } from "#server/admin/accounts";
import { listOwnHistory } from "#server/audit/read-events";
import { testDatabase } from "#server/testing/database";
import {
  applicationInput,
  authorizationQuery,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
  requestIdOf,
  TestBrowser,
} from "#server/testing/oauth-world";
import { portalOf } from "#server/testing/portal-script";
import { mintMember, testWorld } from "#server/testing/team-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { decideRequest } from "../../authorize/decide-request";
import { showRequest } from "../../authorize/show-request";
import { mostTestPlayers } from "./rights";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const on = ctx.database.query;

const teamOf = (user: PortalUser) => portalOf(ctx, { ...user, confirmedAt: ctx.now() }).team;
const testersOf = (clientId: string) =>
  on.select().from(applicationTesters).where(eq(applicationTesters.clientId, clientId));
const eventsOf = (clientId: string, act: string) =>
  on
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.clientId, clientId), eq(auditLog.act, act)));
const noticesOf = async ({ accountId }: PortalUser, kind: string) =>
  (
    await on
      .select()
      .from(notices)
      .where(and(eq(notices.accountId, accountId), eq(notices.kind, kind)))
  ).map(({ text }) => text);
const world = async () => {
  clock.advance(60);
  return testWorld(ctx);
};
const refused = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { error?: string }).error,
];
const consentsOf = (user: PortalUser) => portalOf(ctx, user).consents.list();

describe("the list of test players", () => {
  test("is kept by owner and developers, by name or id, and each added player gets a notice", async () => {
    const { clientId, owner, developer, tester } = await world();
    const named = await mintUser(ctx, { name: "Tess_Trial" });
    await teamOf(developer).addTestPlayer({ clientId, player: "tess_trial" });
    expect(await teamOf(owner).testPlayers({ clientId })).toEqual([
      { playerId: tester.playerId, name: `Player${tester.playerId}`, addedAt: ctx.now() },
      { playerId: named.playerId, name: "Tess_Trial", addedAt: ctx.now() },
    ]);
    expect(await noticesOf(named, "test-player-added")).toEqual([
      `You can test “Test application” by Player${owner.playerId} before it opens to players. It still needs your approval when you connect it.`,
    ]);
    expect(await eventsOf(clientId, "application_tester.added")).toMatchObject([
      { accountId: tester.accountId, actor: `account:${owner.accountId}` },
      { accountId: named.accountId, actor: `account:${developer.accountId}` },
    ]);
  });

  test("refuses unknown and banned players, the team, and whom it holds already", async () => {
    const { clientId, owner, viewer, tester } = await world();
    const banned = await mintUser(ctx);
    await banAccount(ctx, createOperator(ctx), { accountId: banned.accountId, reason: "Spam." });
    const add = (player: string) => teamOf(owner).addTestPlayer({ clientId, player });
    for (const player of ["No_Such_Name", "", String(banned.playerId)])
      await expect(add(player)).rejects.toThrow(/has signed in here/);
    for (const { playerId } of [owner, viewer, tester])
      await expect(add(String(playerId))).rejects.toThrow(/can approve it already/);
    expect(await testersOf(clientId)).toHaveLength(1);
  });

  test("holds 25 players", async () => {
    const { clientId, owner } = await world();
    for (let n = 1; n < mostTestPlayers; n++) {
      const { accountId } = await mintUser(ctx);
      await on.insert(applicationTesters).values({ clientId, accountId, addedAt: ctx.now() });
    }
    const more = () => mintUser(ctx).then(({ playerId }) => String(playerId));
    const add = async () => teamOf(owner).addTestPlayer({ clientId, player: await more() });
    await expect(add()).rejects.toThrow(/at most 25 test players/);
    const [first] = await teamOf(owner).testPlayers({ clientId });
    await teamOf(owner).removeTestPlayer({ clientId, playerId: first?.playerId ?? 0 });
    await add();
    expect(await testersOf(clientId)).toHaveLength(mostTestPlayers);
  });

  test("is deleted when the application opens, and what test players approved stays", async () => {
    const { app, clientId, owner, tester, stranger } = await world();
    const tokens = await mintTokens(ctx, app, { user: tester });
    const { kind: _, ...complete } = applicationInput();
    const { applications } = portalOf(ctx, { ...owner, confirmedAt: ctx.now() });
    await applications.update({ ...complete, clientId, version: 1 });
    await applications.open({ clientId });
    expect(await testersOf(clientId)).toEqual([]);
    expect((await refresh(ctx, app, tokens.refresh_token ?? "")).status).toBe(200);
    await mintTokens(ctx, app, { user: stranger });
    const late = teamOf(owner).addTestPlayer({ clientId, player: String(stranger.playerId) });
    await expect(late).rejects.toThrow(/any player can approve it/);
  });

  test("is deleted with the application", async () => {
    const { clientId, owner } = await world();
    const { applications } = portalOf(ctx, { ...owner, confirmedAt: ctx.now() });
    await applications.delete({ clientId, confirmName: "Test application" });
    expect(await testersOf(clientId)).toEqual([]);
  });

  test("is in the history for those that keep it, and not for viewers", async () => {
    const { clientId, developer, viewer, tester } = await world();
    const acts = async (user: PortalUser) =>
      (await teamOf(user).history({ clientId })).events.filter(({ words }) =>
        words.startsWith("Test player"),
      );
    expect(await acts(developer)).toMatchObject([
      { words: "Test player added", about: { playerId: tester.playerId } },
    ]);
    expect(await acts(viewer)).toEqual([]);
  });
});

describe("a test player who is removed (PT-28)", () => {
  test("loses the consent at once: token, refresh token, code and remembered consent", async () => {
    const { app, clientId, owner, tester } = await world();
    const tokens = await mintTokens(ctx, app, { user: tester });
    const code = await mintCode(ctx, app, { user: tester });
    const browser = await TestBrowser.signedIn(ctx, tester);
    const remembered = await browser.authorize(authorizationQuery(app));
    expect(remembered.headers.get("location")).toMatch(/^https:\/\/client.test\/cb\?code=/);

    await teamOf(owner).removeTestPlayer({ clientId, playerId: tester.playerId });
    expect(await consentsOf(tester)).toEqual([]);
    expect(await refused(await refresh(ctx, app, tokens.refresh_token ?? ""))).toEqual([
      400,
      "invalid_grant",
    ]);
    expect(await refused(await postToken(ctx, app, redemption(app, code)))).toEqual([
      400,
      "invalid_grant",
    ]);
    const again = await browser.authorize(authorizationQuery(app));
    await expect(browser.decide(again, tester)).rejects.toMatchObject({
      reason: "APPLICATION_IN_TEST",
    });
    expect(await noticesOf(tester, "test-player-removed")).toEqual([
      "You no longer test “Test application”. Access that you gave it has ended.",
    ]);
    expect(await eventsOf(clientId, "application_tester.removed")).toMatchObject([
      { accountId: tester.accountId, actor: `account:${owner.accountId}` },
    ]);
    const { events } = await listOwnHistory(ctx, tester, undefined);
    expect(events.map(({ words, by }) => [words, by])).toEqual(
      expect.arrayContaining([
        ["Test player removed", "developer"],
        ["Access revoked by developer", "developer"],
      ]),
    );
    const ended = await on.select().from(grants).where(eq(grants.clientId, clientId));
    expect(new Set(ended.map(({ revokedFor }) => revokedFor))).toEqual(new Set(["developer"]));
    const twice = teamOf(owner).removeTestPlayer({ clientId, playerId: tester.playerId });
    await expect(twice).rejects.toThrow(/no longer a test player/);
  });

  test("keeps the consent as a member of the team, until leaving it", async () => {
    const { app, clientId, owner, tester } = await world();
    await mintMember(ctx, app, "viewer", tester);
    await mintTokens(ctx, app, { user: tester });
    await teamOf(owner).removeTestPlayer({ clientId, playerId: tester.playerId });
    expect(await noticesOf(tester, "test-player-removed")).toEqual([
      "You no longer test “Test application”.",
    ]);
    expect(await consentsOf(tester)).toHaveLength(1);
    await teamOf(tester).leave({ clientId });
    expect(await consentsOf(tester)).toEqual([]);
  });

  test("can be removed while banned", async () => {
    const { clientId, owner, tester } = await world();
    const by = createOperator(ctx);
    await banAccount(ctx, by, { accountId: tester.accountId, reason: "Spam." });
    await teamOf(owner).removeTestPlayer({ clientId, playerId: tester.playerId });
    expect(await testersOf(clientId)).toEqual([]);
  });
});

describe("a member who leaves before the application is opened", () => {
  test.each<
    [string, (owner: PortalUser, member: PortalUser, clientId: string) => Promise<unknown>]
  >([
    ["removed", (owner, { playerId }, clientId) => teamOf(owner).remove({ clientId, playerId })],
    ["by leaving", (_, member, clientId) => teamOf(member).leave({ clientId })],
    [
      "by a ban, also when it is lifted",
      async (_, { accountId }) => {
        await banAccount(ctx, createOperator(ctx), { accountId, reason: "Spam." });
        await unbanAccount(ctx, createOperator(ctx), { accountId });
      },
    ],
  ])("loses the consent: %s", async (_, act) => {
    const { app, clientId, owner, viewer } = await world();
    const tokens = await mintTokens(ctx, app, { user: viewer });
    await act(owner, viewer, clientId);
    expect(await consentsOf(viewer)).toEqual([]);
    expect((await refresh(ctx, app, tokens.refresh_token ?? "")).status).toBe(400);
  });

  test("keeps it after the opening", async () => {
    const { app, clientId, owner, viewer } = await world();
    await mintTokens(ctx, app, { user: viewer });
    const { kind: _, ...complete } = applicationInput();
    const { applications } = portalOf(ctx, { ...owner, confirmedAt: ctx.now() });
    await applications.update({ ...complete, clientId, version: 1 });
    await applications.open({ clientId });
    await teamOf(owner).remove({ clientId, playerId: viewer.playerId });
    expect(await consentsOf(viewer)).toHaveLength(1);
  });
});

describe("a player who is not on the list (PT-28)", () => {
  test("sees the name alone, and going back brings access_denied to the application", async () => {
    const { app, stranger } = await world();
    const browser = await TestBrowser.signedIn(ctx, stranger);
    const requestId = requestIdOf(await browser.authorize(authorizationQuery(app)));
    const { browserId } = browser;
    const asked = { requestId, browserId };
    const portal = portalOf(ctx, stranger).authorization;
    await expect(portal.show({ requestId })).rejects.toThrow();
    await expect(showRequest(ctx, stranger, asked)).rejects.toMatchObject({
      reason: "APPLICATION_IN_TEST",
      message: "The application is not open to players yet.",
    });
    const approve = decideRequest(ctx, stranger, { ...asked, decision: "approve" });
    await expect(approve).rejects.toMatchObject({ reason: "APPLICATION_IN_TEST" });
    const { location } = await decideRequest(ctx, stranger, { ...asked, decision: "deny" });
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
      error: "access_denied",
      error_description:
        "The application is in test, and the player is neither in its team nor a test player.",
      state: "xyz",
      iss: ctx.settings.baseUrl,
    });
    await expect(consentsOf(stranger)).resolves.toEqual([]);
  });

  test("is refused silently with prompt=none, and the developer finds it among the failures", async () => {
    const { app, clientId, owner, stranger, tester } = await world();
    const silent = async (user: PortalUser | null) => {
      const browser = user ? await TestBrowser.signedIn(ctx, user) : new TestBrowser(ctx);
      const answer = await browser.authorize(authorizationQuery(app, { prompt: "none" }));
      return new URL(answer.headers.get("location") ?? "").searchParams.get("error");
    };
    expect(await silent(stranger)).toBe("access_denied");
    expect(await silent(tester)).toBe("consent_required");
    expect(await silent(null)).toBe("login_required");
    await ctx.settled();
    const failures = await portalOf(ctx, owner).applications.failedAttempts({ clientId });
    expect(failures.rows.map(({ error }) => error)).toContain("access_denied");
  });
});

test("the export names the applications that the player tests, and a deletion ends the test", async () => {
  const { clientId, tester } = await world();
  const { json } = await exportAccount(ctx, tester);
  expect(JSON.parse(json).tests).toEqual([
    { application: { clientId, name: "Test application" }, addedAt: ctx.now().toISOString() },
  ]);
  const [player] = await on.select().from(players).where(eq(players.id, tester.playerId));
  await deleteAccount(ctx, tester, { confirmName: player?.name ?? "" });
  expect(await testersOf(clientId)).toEqual([]);
});
