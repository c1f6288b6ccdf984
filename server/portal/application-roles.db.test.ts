import { describe, expect, test } from "vitest";
import type { ApplicationRole } from "#server/oauth/clients/team/rights";
import { testDatabase } from "#server/testing/database";
import { applicationInput, authorizationQuery, TestBrowser } from "#server/testing/oauth-world";
import { portalOf } from "#server/testing/portal-script";
import { mintMember, teamWorld, testWorld } from "#server/testing/team-world";
import { testContext } from "#server/testing/test-context";
import { refusalOf } from "#server/trpc/refusal";
import { applicationsRouter, teamRouter, verificationRouter } from "./applications";
import { webhooksRouter } from "./webhooks";

const settings = { webhookLoopback: "allowed", baseUrl: "http://localhost:3000" } as const;
const { ctx, clock } = await testContext({ database: await testDatabase(), settings });
const { kind: _kind, ...changes } = applicationInput();
const confirmName = "Test application";

type Portal = ReturnType<typeof portalOf>;
interface Key {
  readonly clientId: string;
  readonly endpointId: string;
  /** Another member. */
  readonly playerId: number;
}
type Row = readonly [least: ApplicationRole, act: (portal: Portal, key: Key) => Promise<unknown>];

/** Every procedure about an application, and the least role that may call it. */
const rows: Readonly<Record<string, Row>> = {
  "applications.get": [
    "viewer",
    ({ applications }, { clientId }) => applications.get({ clientId }),
  ],
  "applications.traffic": ["viewer", ({ applications }, key) => applications.traffic(key)],
  "applications.funnel": ["viewer", ({ applications }, key) => applications.funnel(key)],
  "applications.firstRun": ["viewer", ({ applications }, key) => applications.firstRun(key)],
  "applications.failedAttempts": [
    "viewer",
    ({ applications }, key) => applications.failedAttempts(key),
  ],
  "applications.calls": ["developer", ({ applications }, key) => applications.calls(key)],
  "applications.callsFile": ["developer", ({ applications }, key) => applications.callsFile(key)],
  "applications.loggedCall": [
    "developer",
    ({ applications }, key) => applications.loggedCall({ ...key, requestId: ctx.ids.request() }),
  ],
  "applications.liveGrants": ["developer", ({ applications }, key) => applications.liveGrants(key)],
  "applications.update": [
    "developer",
    ({ applications }, key) => applications.update({ ...changes, ...key, version: 1 }),
  ],
  "applications.revokeGrant": [
    "developer",
    ({ applications }, key) => applications.revokeGrant({ ...key, grantId: ctx.ids.uuid() }),
  ],
  "applications.revokeAllGrants": [
    "developer",
    ({ applications }, key) => applications.revokeAllGrants({ ...key, confirmName }),
  ],
  "applications.createSecret": [
    "developer",
    ({ applications }, key) => applications.createSecret({ ...key, name: "x" }),
  ],
  "applications.deleteSecret": [
    "developer",
    ({ applications }, key) => applications.deleteSecret({ ...key, secretId: ctx.ids.uuid() }),
  ],
  "applications.secretsSaved": [
    "developer",
    ({ applications }, key) => applications.secretsSaved(key),
  ],
  "applications.ownToken": ["developer", ({ applications }, key) => applications.ownToken(key)],
  "applications.open": ["owner", ({ applications }, key) => applications.open(key)],
  "applications.delete": [
    "owner",
    ({ applications }, key) => applications.delete({ ...key, confirmName }),
  ],
  "webhooks.list": ["developer", ({ webhooks }, key) => webhooks.list(key)],
  "webhooks.deliveries": ["developer", ({ webhooks }, key) => webhooks.deliveries(key)],
  "webhooks.add": [
    "developer",
    ({ webhooks }, key) =>
      webhooks.add({ ...key, url: "http://localhost:1/", types: ["stocks.tick"] }),
  ],
  "webhooks.verify": ["developer", ({ webhooks }, key) => webhooks.verify(key)],
  "webhooks.change": [
    "developer",
    ({ webhooks }, key) => webhooks.change({ ...key, url: "http://localhost:2/" }),
  ],
  "webhooks.rotate": ["developer", ({ webhooks }, key) => webhooks.rotate(key)],
  "webhooks.pause": ["developer", ({ webhooks }, key) => webhooks.pause(key)],
  "webhooks.resume": ["developer", ({ webhooks }, key) => webhooks.resume({ ...key, from: "now" })],
  "webhooks.test": [
    "developer",
    ({ webhooks }, key) => webhooks.test({ ...key, type: "stocks.tick" }),
  ],
  "webhooks.replay": [
    "developer",
    ({ webhooks }, key) => webhooks.replay({ ...key, which: { failedSince: new Date(0) } }),
  ],
  "webhooks.remove": ["developer", ({ webhooks }, key) => webhooks.remove(key)],
  "verification.show": ["developer", ({ verification }, key) => verification.show(key)],
  "verification.nameDomain": [
    "developer",
    ({ verification }, key) => verification.nameDomain({ ...key, domain: "localhost:1" }),
  ],
  "verification.prove": ["developer", ({ verification }, key) => verification.prove(key)],
  "verification.removeDomain": [
    "developer",
    ({ verification }, key) => verification.removeDomain(key),
  ],
  "verification.request": ["owner", ({ verification }, key) => verification.request(key)],
  "verification.withdraw": ["owner", ({ verification }, key) => verification.withdraw(key)],
  "team.show": ["viewer", ({ team }, key) => team.show(key)],
  "team.history": ["viewer", ({ team }, { clientId }) => team.history({ clientId })],
  "team.leave": ["viewer", ({ team }, key) => team.leave(key)],
  "team.withdrawOffer": ["viewer", ({ team }, key) => team.withdrawOffer(key)],
  "team.accept": ["viewer", ({ team }, key) => team.accept(key)],
  "team.join": ["viewer", ({ team }, key) => team.join(key)],
  "team.invite": [
    "owner",
    ({ team }, key) => team.invite({ ...key, player: "Nobody_Known", role: "viewer" }),
  ],
  "team.changeRole": ["owner", ({ team }, key) => team.changeRole({ ...key, role: "viewer" })],
  "team.testPlayers": ["developer", ({ team }, key) => team.testPlayers(key)],
  "team.addTestPlayer": [
    "developer",
    ({ team }, key) => team.addTestPlayer({ ...key, player: "Nobody_Known" }),
  ],
  "team.removeTestPlayer": ["developer", ({ team }, key) => team.removeTestPlayer(key)],
  "team.offer": ["owner", ({ team }, key) => team.offer(key)],
  "team.remove": ["owner", ({ team }, key) => team.remove(key)],
};

test("the matrix leaves no procedure about an application out", () => {
  const of = (noun: string, procedures: object, others: readonly string[]) =>
    Object.keys(procedures)
      .filter((verb) => !others.includes(verb))
      .map((verb) => `${noun}.${verb}`);
  expect(Object.keys(rows).sort()).toEqual(
    [
      ...of("applications", applicationsRouter._def.procedures, [
        "list",
        "names",
        "room",
        "create",
      ]),
      ...of("webhooks", webhooksRouter._def.procedures, []),
      ...of("team", teamRouter._def.procedures, ["invitations"]),
      ...of("verification", verificationRouter._def.procedures, []),
    ].sort(),
  );
});

const outcome = (asked: Promise<unknown>) =>
  asked.then(
    () => "done",
    (thrown: { code: string; message: string }) => {
      const { reason } = refusalOf(thrown);
      return reason === "ROLE_TOO_LOW" ? reason : `${thrown.code}: ${thrown.message}`;
    },
  );

describe("ID-09: an application by role:", () => {
  test.each(Object.entries(rows))("%s", async (_, [least, act]) => {
    clock.advance(60);
    const world = await testWorld(ctx);
    const { clientId, owner } = world;
    const ask = (who: typeof owner, to = clientId) => {
      const user = { ...who, confirmedAt: ctx.now() };
      return outcome(act(portalOf(ctx, user), { ...key, clientId: to }));
    };
    const other = await mintMember(ctx, world.app, "developer");
    const { endpointId } = await portalOf(ctx, { ...owner, confirmedAt: ctx.now() }).webhooks.add({
      ...{ clientId, url: "http://localhost:1/", types: ["stocks.tick"] },
    });
    const key = { clientId, endpointId, playerId: other.playerId };

    const unknown = await ask(owner, "0".repeat(32));
    expect(unknown).toMatch(/^NOT_FOUND: /);
    expect(await ask(world.stranger)).toBe(unknown);
    expect(await ask(world.former)).toBe(unknown);
    expect(await ask(world.tester)).toBe(unknown);
    const order: readonly ApplicationRole[] = ["viewer", "developer", "owner"];
    for (const role of order) {
      const answer = await ask(world[role]);
      if (order.indexOf(role) < order.indexOf(least))
        expect([role, answer]).toEqual([role, "ROLE_TOO_LOW"]);
      else
        expect([role, answer]).not.toEqual([role, expect.stringMatching(/NOT_FOUND|ROLE_TOO_LOW/)]);
    }
  });
});

test("a viewer reads no names of secrets, and lists hold the application for its team alone", async () => {
  const { clientId, owner, developer, viewer, former, stranger } = await teamWorld(ctx);
  const secretsOf = async (user: typeof owner) =>
    (await portalOf(ctx, user).applications.get({ clientId })).secrets.length;
  expect([await secretsOf(owner), await secretsOf(developer), await secretsOf(viewer)]).toEqual([
    1, 1, 0,
  ]);
  const listed = async (user: typeof owner) => {
    const { applications } = portalOf(ctx, user);
    const { rows } = await applications.list();
    return [rows.length, (await applications.names()).length];
  };
  expect(await listed(owner)).toEqual([1, 1]);
  expect(await listed(developer)).toEqual([1, 1]);
  expect(await listed(viewer)).toEqual([1, 0]);
  expect(await listed(former)).toEqual([0, 0]);
  expect(await listed(stranger)).toEqual([0, 0]);
});

test("in test an application is approved by its team and test players, and its hosted callback by developers alone", async () => {
  const { app, owner, developer, viewer, tester, former, stranger } = await testWorld(ctx);
  const hosted = `${ctx.settings.baseUrl}/oauth/${app.clientId}/callback`;
  const asks = async (user: typeof owner, redirectUri = app.redirectUri) => {
    const browser = await TestBrowser.signedIn(ctx, user);
    const query = authorizationQuery({ ...app, redirectUri }, { prompt: "consent" });
    const answer = await browser.authorize(query);
    if (answer.status !== 303) return answer.status;
    return browser.decide(answer, user).then(
      ({ searchParams }) => (searchParams.has("code") ? "approved" : "not"),
      ({ reason }) => reason,
    );
  };
  for (const user of [owner, developer, viewer, tester]) expect(await asks(user)).toBe("approved");
  for (const user of [former, stranger]) expect(await asks(user)).toBe("APPLICATION_IN_TEST");
  for (const user of [owner, developer]) expect(await asks(user, hosted)).toBe("approved");
  for (const user of [viewer, tester]) expect(await asks(user, hosted)).toBe(400);
  for (const user of [former, stranger])
    expect(await asks(user, hosted)).toBe("APPLICATION_IN_TEST");
});

test("PT-15: what gives or takes rights wants a confirmation, and does nothing without", async () => {
  const { clientId, owner, viewer } = await teamWorld(ctx);
  const { team } = portalOf(ctx, { ...owner, confirmedAt: null });
  const before = await team.show({ clientId });
  const key = { clientId, playerId: viewer.playerId };
  const acts = [
    team.invite({ clientId, player: "1", role: "developer" }),
    team.changeRole({ ...key, role: "developer" }),
    team.remove(key),
    team.offer(key),
    team.accept({ clientId }),
    team.addTestPlayer({ clientId, player: "1" }),
    team.removeTestPlayer(key),
  ];
  for (const act of acts)
    expect(await act.catch((thrown) => refusalOf(thrown).reason)).toBe("CONFIRMATION_WANTED");
  expect(await team.show({ clientId })).toEqual(before);
});
