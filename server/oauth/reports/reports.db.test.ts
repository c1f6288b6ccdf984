import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { applicationReports } from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { sweepBatch } from "#db/sweep";
import { deleteAccount, exportAccount } from "#server/account/account-acts";
import type { PortalUser } from "#server/actor";
import { dayMs } from "#server/platform/time";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  mintApplication,
  mintTokens,
  requestIdOf,
  TestBrowser,
} from "#server/testing/oauth-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { portalOf } from "#server/testing/portal-script";
import { teamWorld } from "#server/testing/team-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { showRequest } from "../authorize/show-request";
import { oauthSweeps } from "../sweep-store";

const { ctx, clock } = await testContext({
  ...{ database: await testDatabase(), settings: { adminSecondFactor: "waived" } },
});
const on = ctx.database.query;
const admin: PortalUser = { ...(await mintUser(ctx)), admin: true };

const consentsOf = (user: PortalUser) => portalOf(ctx, user).consents;
const adminsPortal = () => portalOf(ctx, { ...admin, confirmedAt: ctx.now() }).admin;
const reportsOf = (clientId: string) =>
  on.select().from(applicationReports).where(eq(applicationReports.clientId, clientId));
const eventsOf = (clientId: string, act: string) =>
  on
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.clientId, clientId), eq(auditLog.act, act)));

/** An application that a player has allowed. */
async function world() {
  clock.advance(60);
  const owner = await mintUser(ctx);
  const app = await mintApplication(ctx, owner, { name: "Muster Roll" });
  const player = await mintUser(ctx);
  await mintTokens(ctx, app, { user: player });
  return { app, clientId: app.clientId, owner, player };
}
async function reporters(app: Awaited<ReturnType<typeof world>>["app"], count: number) {
  const players: PortalUser[] = [];
  for (let n = 0; n < count; n++) {
    const player = await mintUser(ctx);
    await mintTokens(ctx, app, { user: player });
    players.push(player);
  }
  return players;
}
const newest = async () => {
  clock.advance(1);
  return (await adminsPortal().reported({ page: 1 })).rows;
};
const listed = async (clientId: string) =>
  (await newest()).find((row) => row.clientId === clientId);

describe("a report", () => {
  test("reaches the operators' list with its reason and text", async () => {
    const { clientId, player } = await world();
    expect(await consentsOf(player).reportForm({ clientId })).toEqual({
      ...{ name: "Muster Roll", open: null },
    });
    await consentsOf(player).report({ clientId, reason: "misuse", text: " It sold my stats. " });
    expect(await listed(clientId)).toMatchObject({
      ...{ name: "Muster Roll", reporters: 1, reason: "misuse", text: "It sold my stats." },
    });
    expect(await adminsPortal().reports({ clientId })).toMatchObject({
      ...{ count: 1, reasons: [{ reason: "misuse", reports: 1 }], more: false },
      rows: [{ reason: "misuse", reporter: { playerId: player.playerId } }],
    });
    expect(await eventsOf(clientId, "application_report.sent")).toMatchObject([
      { accountId: player.accountId, details: { reason: "misuse" } },
    ]);
  });

  test("changes the open one of the same player, and a text is not needed", async () => {
    const { clientId, player } = await world();
    await consentsOf(player).report({ clientId, reason: "misuse", text: "First." });
    clock.advance(10);
    await consentsOf(player).report({ clientId, reason: "scopes" });
    expect(await listed(clientId)).toMatchObject({ reporters: 1, reason: "scopes", text: "" });
    expect((await consentsOf(player).reportForm({ clientId })).open).toMatchObject({
      ...{ reason: "scopes", text: "" },
    });
    expect(await eventsOf(clientId, "application_report.changed")).toMatchObject([
      { details: { reason: { from: "misuse", to: "scopes" } } },
    ]);
  });

  test("is possible from the consent page, before anything was allowed", async () => {
    const { app, clientId } = await world();
    const visitor = await mintUser(ctx);
    const browser = await TestBrowser.signedIn(ctx, visitor);
    const report = () => consentsOf(visitor).report({ clientId, reason: "impersonation" });
    await expect(report()).rejects.toMatchObject({ code: "NOT_FOUND" });
    const requestId = requestIdOf(await browser.authorize(authorizationQuery(app)));
    await showRequest(ctx, visitor, { requestId, browserId: browser.browserId });
    await report();
    expect(await reportsOf(clientId)).toHaveLength(1);
  });

  test("ID-09: of an application that the player never met is refused like one of none", async () => {
    const { clientId } = await world();
    const stranger = await mintUser(ctx);
    const answers = await Promise.all(
      [clientId, "0".repeat(32), "x"].flatMap((id) => [
        consentsOf(stranger).reportForm({ clientId: id }).catch(String),
        consentsOf(stranger).report({ clientId: id, reason: "other" }).catch(String),
      ]),
    );
    expect(new Set(answers).size).toBe(1);
    await expect(
      portalOf(ctx, null).consents.report({ clientId, reason: "other" }),
    ).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await reportsOf(clientId)).toEqual([]);
  });

  test("needs a known reason, and a text of at most 1,000 characters", async () => {
    const { clientId, player } = await world();
    const { report } = consentsOf(player);
    await expect(report({ clientId, reason: "dull" as "other" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    const long = { clientId, reason: "other", text: "x".repeat(1_001) } as const;
    await expect(report(long)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("is capped: five a minute, ten applications a day", async () => {
    const owner = await mintUser(ctx);
    const player = await mintUser(ctx);
    const report = (clientId: string) => consentsOf(player).report({ clientId, reason: "abuse" });
    const apps: string[] = [];
    for (let n = 0; n < 11; n++) {
      clock.advance(60);
      const app = await mintApplication(ctx, owner);
      await mintTokens(ctx, app, { user: player });
      apps.push(app.clientId);
    }
    const [first = "", ...others] = apps;
    const last = others.pop() ?? "";
    for (const clientId of [first, ...others]) {
      clock.advance(60);
      await report(clientId);
    }
    await expect(report(last)).rejects.toThrow(/10 reports within 24 hours/);
    for (let n = 0; n < 3; n++) await report(first);
    await expect(report(first)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
    clock.advance(dayMs / 1_000);
    await report(last);
  });
});

describe("the operators' list", () => {
  test("has one row per application, the most reported first", async () => {
    const { app, clientId, player } = await world();
    const other = await world();
    await consentsOf(player).report({ clientId, reason: "other" });
    for (const each of await reporters(app, 2))
      await consentsOf(each).report({ clientId, reason: "abuse" });
    await consentsOf(other.player).report({ clientId: other.clientId, reason: "other" });
    const rows = (await newest()).filter((row) =>
      [clientId, other.clientId].includes(row.clientId),
    );
    expect(rows).toMatchObject([
      { clientId, reporters: 3 },
      { clientId: other.clientId, reporters: 1 },
    ]);
  });

  test("is closed to all but admins", async () => {
    const { clientId, owner, player } = await world();
    await consentsOf(player).report({ clientId, reason: "other" });
    const close = { clientId, until: ctx.now(), outcome: "dismissed", reason: "None." } as const;
    for (const user of [owner, player]) {
      const { admin: portal } = portalOf(ctx, user);
      await expect(portal.reports({ clientId })).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(portal.reported({ page: 1 })).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(portal.closeReports(close)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await listed(clientId)).toBeDefined();
  });

  test.each([
    ["dismissed", "application_report.dismissed"],
    ["acted_on", "application_report.acted_on"],
  ] as const)(
    "%s: closes what was read, leaves what came or changed later, and tells reporters without the note",
    async (outcome, act) => {
      const { app, clientId, player } = await world();
      const [later, changing] = await reporters(app, 2);
      if (!later || !changing) throw new Error("There are no reporters.");
      await consentsOf(player).report({ clientId, reason: "other" });
      await consentsOf(changing).report({ clientId, reason: "other" });
      const { until } = await adminsPortal().reports({ clientId });
      clock.advance(1);
      await consentsOf(later).report({ clientId, reason: "other" });
      await consentsOf(changing).report({ clientId, reason: "abuse" });
      const close = { clientId, until, outcome, reason: "Asked its developer." };
      await adminsPortal().closeReports(close);
      expect(await listed(clientId)).toMatchObject({ reporters: 2 });
      expect(await eventsOf(clientId, act)).toMatchObject([
        { accountId: null, details: { reports: 1, reason: "Asked its developer." } },
      ]);
      const [notice] = await listOwnNotices(ctx, player);
      expect(notice?.text).toMatch(/^You reported “Muster Roll”\. An admin/);
      expect(notice?.text).not.toContain("Asked");
      expect(await listOwnNotices(ctx, later)).toEqual([]);
      await expect(adminsPortal().closeReports(close)).rejects.toThrow(/closed already/);
      clock.advance(60);
      await consentsOf(player).report({ clientId, reason: "abuse" });
      expect(await listed(clientId)).toMatchObject({ reporters: 3 });
    },
  );
});

test("no view of the developers shows a report or its reporter", async () => {
  clock.advance(60);
  const { app, clientId, owner, developer, viewer } = await teamWorld(ctx);
  const reporter = await mintUser(ctx, { name: "Quiet_Reporter" });
  const browser = await TestBrowser.signedIn(ctx, reporter);
  const requestId = requestIdOf(await browser.authorize(authorizationQuery(app)));
  await showRequest(ctx, reporter, { requestId, browserId: browser.browserId });
  await consentsOf(reporter).report({ clientId, reason: "other", text: "Quiet words." });
  for (const user of [owner, developer, viewer]) {
    const { applications, team } = portalOf(ctx, user);
    const views = await Promise.all([
      applications.get({ clientId }),
      applications.list(),
      applications.funnel({ clientId }),
      applications.failedAttempts({ clientId }),
      team.show({ clientId }),
      team.history({ clientId }),
      ...(user === viewer
        ? []
        : [applications.calls({ clientId }), applications.liveGrants({ clientId })]),
      exportAccount(ctx, user),
    ]);
    expect(JSON.stringify(views)).not.toMatch(/Quiet|application_report|Report of/);
  }
});

test("reports are in the reporter's export, end with the account, and are deleted after half a year", async () => {
  const { app, clientId, player } = await world();
  const [other] = await reporters(app, 1);
  if (!other) throw new Error("There is no reporter.");
  for (const each of [player, other])
    await consentsOf(each).report({ clientId, reason: "scopes", text: "Too much." });
  expect(JSON.parse((await exportAccount(ctx, player)).json).reports).toMatchObject([
    { application: { clientId }, reason: "scopes", text: "Too much.", outcome: null },
  ]);
  const [row] = await on.select().from(players).where(eq(players.id, player.playerId));
  await deleteAccount(ctx, player, { confirmName: row?.name ?? "" });
  expect(await reportsOf(clientId)).toMatchObject([{ accountId: other.accountId }]);
  const sweep = oauthSweeps.find(({ table }) => table === applicationReports);
  if (!sweep) throw new Error("Nothing sweeps reports.");
  await sweepBatch(on, sweep, new Date(ctx.now().getTime() + 179 * dayMs));
  expect(await reportsOf(clientId)).toHaveLength(1);
  await sweepBatch(on, sweep, new Date(ctx.now().getTime() + 181 * dayMs));
  expect(await reportsOf(clientId)).toEqual([]);
});
