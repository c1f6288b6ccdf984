import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { notices } from "#db/schema/accounts";
import { factionAccess, factionPositions } from "#db/schema/faction";
import { auditLog, requestLog } from "#db/schema/operations";
import { factions, players } from "#db/schema/players";
import { deleteAccount, exportAccount } from "#server/account/account-acts";
import type { PortalUser } from "#server/actor";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened } from "#server/faction/events";
import { BlockedByFaction } from "#server/failures";
import { apiPrefix } from "#server/machine-path";
import { factionAccessRouter } from "#server/portal/faction";
import { compileDispatch } from "#server/rest/dispatch";
import { failuresOf } from "#server/rest/openapi-operation";
import { expandAliases } from "#server/rest/router";
import { routes } from "#server/routes";
import type { ScopeName } from "#server/scopes";
import { testDatabase } from "#server/testing/database";
import { readAnswer } from "#server/testing/dispatch-world";
import {
  authorizationQuery,
  basic,
  formRequest,
  mintApplication,
  mintTokens,
  requestIdOf,
  TestBrowser,
  unthrottled,
} from "#server/testing/oauth-world";
import { portalOf } from "#server/testing/portal-script";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintUser, testSource } from "#server/testing/world";
import { refusalOf } from "#server/trpc/refusal";
import { showRequest } from "../authorize/show-request";
import { listConsents } from "../consents/list-consents";
import { answerIntrospection } from "../http";

const { ctx, clock } = await testContext({
  database: await testDatabase(),
  settings: { rates: { ...unthrottled, holder: 100_000, peer: 100_000 }, tokenCache: true },
});
const on = ctx.database.query;
const owner = await mintUser(ctx);
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const everything: ScopeName[] = ["identity", "faction", "service_key:usage"];

async function call(token: string, path: string, method = "GET") {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const request = new Request(`http://any.host${apiPrefix}${path}`, {
    ...{ method, headers },
    ...(method === "GET" ? {} : { body: "{}" }),
  });
  return readAnswer(await dispatch(ctx, request, { address: testSource.address }));
}
const codeOf = async (token: string, path: string) => {
  const { status, json } = await call(token, path);
  return status < 400 ? status : (json as { code: number }).code;
};

/** A faction with a leader and two positions, and applications that a member lets read it. */
async function world() {
  clock.advance(60);
  const { id: factionId, name } = await mintFaction(ctx);
  const inFaction = (positionName: string) =>
    mintUser(ctx, { factionId, positionName, factionSince: ctx.now() });
  for (const position of ["Officer", "Member"])
    await on.insert(factionPositions).values({
      ...{ id: ctx.ids.uuid(), factionId, name: position, isDefault: false, abilities: [] },
      lastSeen: ctx.now(),
    });
  const [leader, officer, member] = [
    await inFaction("Leader"),
    await inFaction("Officer"),
    await inFaction("Member"),
  ];
  const app = await mintApplication(ctx, owner, { name: "Clerk", scopes: everything });
  const { access_token: token } = await mintTokens(ctx, app, { user: member, scopes: everything });
  clock.advance(1);
  await ctx.settled();
  return { factionId, name, leader, officer, member, app, token, inFaction };
}
type World = Awaited<ReturnType<typeof world>>;

const portal = (user: PortalUser) => portalOf(ctx, user).factionAccess;
const decide = (by: PortalUser, { app }: Pick<World, "app">, blocked: boolean) =>
  portal(by).decide({ clientIds: [app.clientId], blocked });
const refusedWith = async (asked: Promise<unknown>) =>
  asked.then(
    () => "done",
    (thrown: unknown) => refusalOf(thrown).code,
  );
const changes = async (token: string) => {
  await ctx.settled();
  const { json } = await call(token, "/events?types=faction_access.changed&limit=100");
  return (json as { events: { data: Record<string, unknown> }[] }).events.map(({ data }) => data);
};
const hits = async (token: string) => {
  await ctx.settled();
  const { json } = await call(token, "/events?types=retaliation.opened&limit=100");
  return (json as { events: { data: { subject: { id: string } } }[] }).events.map(
    ({ data }) => data.subject.id,
  );
};
const hit = async ({ factionId }: World, subject: string) => {
  clock.advance(1);
  await recordEvents(ctx, on, [{ type: retaliationOpened, subject, factionId }]);
  clock.advance(1);
};

describe("who sees and decides which applications read a faction's data", () => {
  const roles: Record<string, (of: World) => Promise<PortalUser>> = {
    leader: async ({ leader }) => leader,
    "member of a named position": async ({ leader, officer }) => {
      await portal(leader).nameDeciders({ positions: ["Officer"] });
      return officer;
    },
    "leader by the faction's record": async ({ factionId, inFaction }) => {
      const user = await inFaction("Member");
      await on
        .update(factions)
        .set({ leaderId: user.playerId, lastRefresh: ctx.now() })
        .where(eq(factions.id, factionId));
      return user;
    },
    "member of a position that was named and is no more": async ({ leader, officer }) => {
      await portal(leader).nameDeciders({ positions: ["Officer"] });
      await portal(leader).nameDeciders({ positions: [] });
      return officer;
    },
    member: async ({ member }) => member,
    "former leader": async ({ leader }) => {
      await on
        .update(players)
        .set({ positionName: "Member" })
        .where(eq(players.id, leader.playerId));
      return leader;
    },
    "leader that left": async ({ leader }) => {
      await on.update(players).set({ factionId: null }).where(eq(players.id, leader.playerId));
      return leader;
    },
    "leader of another faction": async () => (await world()).leader,
    "holder of a position named elsewhere": async () => {
      const elsewhere = await world();
      await portal(elsewhere.leader).nameDeciders({ positions: ["Officer"] });
      return elsewhere.officer;
    },
    stranger: () => mintUser(ctx),
  };
  const deciders = ["leader", "member of a named position", "leader by the faction's record"];
  const namers = ["leader", "leader by the faction's record"];
  const outside = ["leader that left", "stranger"];
  const elsewhere = ["leader of another faction", "holder of a position named elsewhere"];

  test.each(Object.keys(roles))("%s", async (name) => {
    const of = await world();
    const user = await roles[name]?.(of);
    if (!user) throw new Error("no such role");
    const may = deciders.includes(name);
    const shown = await portal(user).show();
    const isListed = shown?.shown?.applications.some(
      ({ clientId }) => clientId === of.app.clientId,
    );
    expect(shown === null).toBe(outside.includes(name));
    expect(isListed ?? false).toBe(may);
    expect(JSON.stringify(shown ?? "").includes(of.app.clientId)).toBe(may);
    const { clientId } = of.app;
    expect(await refusedWith(portal(user).application({ clientId }))).toBe(may ? "done" : 1500);
    const refused = outside.includes(name) ? 1102 : elsewhere.includes(name) ? 1500 : 4007;
    expect(await refusedWith(decide(user, of, true))).toBe(may ? "done" : refused);
    expect(await codeOf(of.token, "/faction/positions")).toBe(may ? 4023 : 200);
    if (!elsewhere.includes(name)) {
      expect(await refusedWith(portal(user).limit({ onlyChosen: true }))).toBe(
        may ? "done" : refused,
      );
      expect(await refusedWith(portal(user).nameDeciders({ positions: ["Member"] }))).toBe(
        namers.includes(name) ? "done" : outside.includes(name) ? 1102 : 4007,
      );
    }
    const rows = await on
      .select()
      .from(factionAccess)
      .where(eq(factionAccess.factionId, of.factionId));
    expect(rows.some(({ blocked }) => blocked)).toBe(may);
  });

  test("every procedure is in this matrix", () => {
    expect(Object.keys(factionAccessRouter._def.procedures).sort()).toEqual(
      ["application", "decide", "limit", "nameDeciders", "show"].sort(),
    );
  });
});

describe("a blocked application", () => {
  test("is refused by every endpoint that needs a faction scope, and by no other", async () => {
    const of = await world();
    await decide(of.leader, of, true);
    for (const { path, endpoint } of expandAliases(routes)) {
      const address = path
        .replace("<int:faction_id>", String(of.factionId))
        .replace(/<int:\w+>/, String(of.member.playerId))
        .replace(/<\w+>/, "1");
      const { status, json } = await call(of.token, address, endpoint.method);
      const isOfFaction = endpoint.scopes.some((scope) => scope.startsWith("faction"));
      const code = (json as { code?: number } | undefined)?.code;
      expect([endpoint.title, code === BlockedByFaction.code]).toEqual([
        endpoint.title,
        isOfFaction,
      ]);
      expect(failuresOf(endpoint).includes(BlockedByFaction)).toBe(isOfFaction);
      if (isOfFaction) {
        expect(status).toBe(403);
        expect(json).toMatchObject({ name: "BlockedByFaction", message: BlockedByFaction.message });
      }
    }
    expect(await codeOf(of.token, "/user")).toBe(200);
  });

  test("keeps its token: introspection answers as before", async () => {
    const of = await world();
    const introspect = async () => {
      const request = formRequest(
        "introspect",
        { token: of.token },
        {
          authorization: basic(of.app),
        },
      );
      return (await answerIntrospection(ctx, request, { address: testSource.address })).json();
    };
    const before = await introspect();
    expect(before).toMatchObject({ active: true, scope: everything.join(" ") });
    await decide(of.leader, of, true);
    expect(await introspect()).toEqual(before);
  });

  test("is named by the doctor as the cause, to its developer alone", async () => {
    const of = await world();
    await decide(of.leader, of, true);
    const examine = async (user: PortalUser, path: string) => {
      const text = `curl -H "Authorization: Bearer ${of.token}" ${ctx.settings.baseUrl}${apiPrefix}${path}`;
      const found = await portalOf(ctx, user).doctor.examine({ text });
      return "failureCode" in found ? found.failureCode : found.kind;
    };
    expect(await examine(owner, "/faction/positions")).toBe(4023);
    expect(await examine(owner, "/user")).toBeNull();
    expect(await examine(of.member, "/faction/positions")).toBeNull();
  });

  test("reads again once it is allowed; other factions and applications were never cut", async () => {
    const [of, others] = [await world(), await world()];
    const second = await mintApplication(ctx, owner, { scopes: everything });
    const { access_token: beside } = await mintTokens(ctx, second, {
      user: of.member,
      scopes: everything,
    });
    const { access_token: abroad } = await mintTokens(ctx, of.app, {
      user: others.member,
      scopes: everything,
    });
    const cells = () =>
      Promise.all([of.token, beside, abroad].map((token) => codeOf(token, "/faction/positions")));
    expect(await cells()).toEqual([200, 200, 200]);
    await decide(of.leader, of, true);
    expect(await cells()).toEqual([4023, 200, 200]);
    await decide(of.leader, of, false);
    expect(await cells()).toEqual([200, 200, 200]);
  });

  test("of a token that lacks the scope the missing scope is named", async () => {
    const of = await world();
    const { access_token: narrow } = await mintTokens(ctx, of.app, {
      user: of.member,
      scopes: ["identity"],
    });
    await decide(of.leader, of, true);
    expect(await codeOf(narrow, "/faction/positions")).toBe(4004);
  });

  test("gets no event of the faction while it is blocked, and later none of that time", async () => {
    const of = await world();
    await hit(of, "before");
    expect(await hits(of.token)).toEqual(["before"]);
    await decide(of.leader, of, true);
    await hit(of, "meanwhile");
    expect(await hits(of.token)).toEqual([]);
    await decide(of.leader, of, false);
    await hit(of, "afterwards");
    expect(await hits(of.token)).toEqual(["afterwards"]);
    expect(await changes(of.token)).toMatchObject([
      { access: "blocked", sub: String(of.member.playerId), subject: { kind: "faction" } },
      { access: "allowed", subject: { id: String(of.factionId) } },
    ]);
  });

  test("a repeated decision changes and tells nothing", async () => {
    const of = await world();
    for (const blocked of [false, true, true, false, false]) await decide(of.leader, of, blocked);
    expect((await changes(of.token)).map(({ access }) => access)).toEqual(["blocked", "allowed"]);
  });

  test("a player falls under the rule of the faction that they are in", async () => {
    const [of, others] = [await world(), await world()];
    await mintTokens(ctx, of.app, { user: others.member, scopes: everything });
    await decide(others.leader, of, true);
    expect(await codeOf(of.token, "/faction/positions")).toBe(200);
    const move = async (factionId: number | null) => {
      const home = { factionId, factionSince: ctx.now() };
      await on.update(players).set(home).where(eq(players.id, of.member.playerId));
      // As the reading of the player does, and as a second does elsewhere.
      ctx.tokens.forget({ playerId: of.member.playerId });
    };
    await move(others.factionId);
    expect(await codeOf(of.token, "/faction/positions")).toBe(4023);
    await move(null);
    expect(await codeOf(of.token, "/faction/positions")).toBe(1102);
    await move(of.factionId);
    expect(await codeOf(of.token, "/faction/positions")).toBe(200);
  });
});

describe("only chosen applications", () => {
  test("cuts all that were not allowed by name, and those that members connect later", async () => {
    const of = await world();
    const chosen = await mintApplication(ctx, owner, { name: "Chosen", scopes: everything });
    const tokenOf = async (app: World["app"]) =>
      (await mintTokens(ctx, app, { user: of.member, scopes: everything })).access_token;
    const own = await tokenOf(chosen);
    await decide(of.leader, { app: chosen }, false);
    await portal(of.leader).limit({ onlyChosen: true });
    const later = await mintApplication(ctx, owner, { name: "Later", scopes: everything });
    const cells = async (...tokens: string[]) =>
      Promise.all(tokens.map((token) => codeOf(token, "/faction/positions")));
    const lateToken = await tokenOf(later);
    expect(await cells(of.token, own, lateToken)).toEqual([4023, 200, 4023]);
    expect((await changes(of.token)).map(({ access }) => access)).toEqual(["blocked"]);
    await decide(of.leader, { app: later }, false);
    expect(await cells(of.token, own, lateToken)).toEqual([4023, 200, 200]);
    await decide(of.leader, { app: chosen }, true);
    await portal(of.leader).limit({ onlyChosen: false });
    expect(await cells(of.token, own, lateToken)).toEqual([200, 4023, 200]);
    expect((await changes(of.token)).map(({ access }) => access)).toEqual(["blocked", "allowed"]);
  });

  test("one that was blocked in between gets no event of that time", async () => {
    const of = await world();
    await portal(of.leader).limit({ onlyChosen: true });
    await hit(of, "meanwhile");
    await decide(of.leader, of, false);
    await hit(of, "afterwards");
    expect(await hits(of.token)).toEqual(["afterwards"]);
    await portal(of.leader).limit({ onlyChosen: false });
    expect(await hits(of.token)).toEqual(["afterwards"]);
  });
});

describe("members", () => {
  const noticesOf = async (user: PortalUser) =>
    (
      await on
        .select({ text: notices.text, path: notices.path, kind: notices.kind })
        .from(notices)
        .where(eq(notices.accountId, user.accountId))
    ).filter(({ kind }) => kind === "app-blocked-by-faction");

  test("that let it read get one notice of a block, and none twice while it is unread", async () => {
    const of = await world();
    await mintTokens(ctx, of.app, { user: of.member, scopes: everything });
    await decide(of.leader, of, true);
    const [notice, ...more] = await noticesOf(of.member);
    expect(notice).toMatchObject({ path: `/account/apps/${of.app.clientId}` });
    expect(notice?.text).toContain(`${of.name} no longer lets “Clerk” read its data.`);
    expect(more).toEqual([]);
    await decide(of.leader, of, false);
    await decide(of.leader, of, true);
    expect(await noticesOf(of.member)).toHaveLength(1);
    expect(await noticesOf(of.officer)).toEqual([]);
  });

  test("get one notice that names all applications when only chosen ones stay", async () => {
    const of = await world();
    for (let number = 1; number <= 6; number++) {
      const app = await mintApplication(ctx, owner, { name: `App ${number}`, scopes: everything });
      await mintTokens(ctx, app, { user: of.member, scopes: ["identity", "faction:crimes"] });
    }
    const own = await mintApplication(ctx, owner, { name: "Own data", scopes: everything });
    await mintTokens(ctx, own, { user: of.member, scopes: ["identity"] });
    await portal(of.leader).limit({ onlyChosen: true });
    const [notice, ...more] = await noticesOf(of.member);
    expect(more).toEqual([]);
    expect(notice?.path).toBe("/account/apps");
    expect(notice?.text).toBe(
      `${of.name} no longer lets “App 1”, “App 2”, “App 3”, “App 4”, “App 5” and 2 more read its data. Your own data stays open to them.`,
    );
  });

  test("see the block before they approve, and on connected apps", async () => {
    const of = await world();
    const another = await of.inFaction("Member");
    const browser = await TestBrowser.signedIn(ctx, another);
    const asked = async (scope: string) => {
      const response = await browser.authorize(authorizationQuery(of.app, { scope }));
      const { browserId } = browser;
      const requestId = requestIdOf(response);
      return (await showRequest(ctx, another, { requestId, browserId })).blockedBy;
    };
    const connected = async () => (await listConsents(ctx, of.member))[0]?.blockedBy;
    expect([await asked("identity faction"), await connected()]).toEqual([null, null]);
    await decide(of.leader, of, true);
    expect([await asked("identity faction:attacks"), await connected()]).toEqual([
      of.name,
      of.name,
    ]);
    expect(await asked("identity")).toBeNull();
  });
});

test("the page of an application names its members, the endpoints and how often", async () => {
  const of = await world();
  const line = { at: ctx.now(), micros: 1, clientId: of.app.clientId, method: "GET" };
  const positions = { ...line, route: "/api/v1/faction/positions" };
  await on.insert(requestLog).values([
    { ...positions, requestId: "1", status: 200, accountId: of.member.accountId },
    { ...positions, requestId: "2", status: 403, accountId: of.member.accountId },
    // A member without consent, public data, and yesterday.
    { ...positions, requestId: "3", status: 200, accountId: of.officer.accountId },
    { ...line, route: "/api/v1/user", requestId: "4", status: 200, accountId: of.member.accountId },
    {
      ...{ ...positions, requestId: "5", status: 200, accountId: of.member.accountId },
      at: new Date(ctx.now().getTime() - 25 * 3_600_000),
    },
  ]);
  const shown = await portal(of.leader).application({ clientId: of.app.clientId });
  expect(shown.endpoints).toEqual([
    { method: "GET", route: "/api/v1/faction/positions", calls: 2, refused: 1 },
  ]);
  expect(shown.members).toMatchObject([
    { playerId: of.member.playerId, scopes: expect.arrayContaining(["faction"]), calls: 2 },
  ]);
  expect(shown.members).toHaveLength(1);
  expect(shown.application).toMatchObject({
    ...{ members: 1, blocked: false, decision: null },
    lastUsed: ctx.now(),
  });
});

test("ids that name no listed application decide nothing, and one sent twice counts once", async () => {
  const of = await world();
  const other = await mintApplication(ctx, owner, { name: "Unused", scopes: everything });
  for (const clientId of ["*", "", "x".repeat(100), "0".repeat(32), other.clientId])
    expect([
      clientId,
      await refusedWith(portal(of.leader).decide({ clientIds: [clientId], blocked: true })),
    ]).toEqual([clientId, 1500]);
  expect(await codeOf(of.token, "/faction/positions")).toBe(200);
  const { clientId } = of.app;
  await portal(of.leader).decide({ clientIds: [clientId, "*", clientId], blocked: true });
  const shown = (await portal(of.leader).show())?.shown;
  expect(shown).toMatchObject({ onlyChosen: false, applications: [{ blocked: true }] });
});

test("a block stays after the last member took the consent back, and is lifted from the list", async () => {
  const of = await world();
  await decide(of.leader, of, true);
  const [consent] = await listConsents(ctx, of.member);
  await portalOf(ctx, of.member).consents.revoke({ consentIds: [consent?.consentId ?? ""] });
  const listed = async () => (await portal(of.leader).show())?.shown?.applications;
  expect(await listed()).toMatchObject([{ name: "Clerk", members: 0, blocked: true }]);
  await decide(of.leader, of, false);
  expect(await listed()).toMatchObject([{ blocked: false }]);
});

test("the audit log has who decided what, from what to what", async () => {
  const of = await world();
  await decide(of.leader, of, true);
  await decide(of.leader, of, false);
  await portal(of.leader).limit({ onlyChosen: true });
  await portal(of.leader).limit({ onlyChosen: false });
  await portal(of.leader).nameDeciders({ positions: ["Officer"] });
  const lines = await on
    .select()
    .from(auditLog)
    .where(eq(auditLog.actor, `account:${of.leader.accountId}`))
    .orderBy(auditLog.id);
  expect(lines.map(({ act }) => act)).toEqual([
    "faction_access.blocked",
    "faction_access.allowed",
    "faction_access.limited",
    "faction_access.unlimited",
    "faction_access.delegated",
  ]);
  expect(lines[0]).toMatchObject({
    clientId: of.app.clientId,
    details: { faction: of.factionId, access: { from: "allowed", to: "blocked" } },
  });
  expect(lines.at(-1)?.details).toMatchObject({ positions: { from: [], to: ["Officer"] } });
});

test("the export has what the account decided; a deleted account leaves the block, without a name", async () => {
  const of = await world();
  await decide(of.leader, of, true);
  const { json } = await exportAccount(ctx, of.leader);
  expect(JSON.parse(json)).toMatchObject({
    factionDecisions: [{ factionId: of.factionId, clientId: of.app.clientId, blocked: true }],
  });
  const [player] = await on.select().from(players).where(eq(players.id, of.leader.playerId));
  await deleteAccount(ctx, of.leader, { confirmName: player?.name ?? "" });
  const [row] = await on
    .select()
    .from(factionAccess)
    .where(
      and(eq(factionAccess.factionId, of.factionId), eq(factionAccess.clientId, of.app.clientId)),
    );
  expect(row).toMatchObject({ blocked: true, decidedBy: null });
  expect(await codeOf(of.token, "/faction/positions")).toBe(4023);
});

test("a position that the game deletes loses the right", async () => {
  const of = await world();
  await portal(of.leader).nameDeciders({ positions: ["Officer"] });
  await on.delete(factionPositions).where(eq(factionPositions.factionId, of.factionId));
  expect(await refusedWith(decide(of.officer, of, true))).toBe(4007);
});
