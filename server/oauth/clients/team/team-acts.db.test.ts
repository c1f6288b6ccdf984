import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { notices } from "#db/schema/accounts";
import { applicationMembers, applications, consents } from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { deleteAccount, exportAccount } from "#server/account/account-acts";
import { createOperator, type PortalUser } from "#server/actor";
import { banAccount, unbanAccount } from "#server/admin/accounts";
import { verifyApplication } from "#server/admin/applications";
import { showRequest } from "#server/oauth/authorize/show-request";
import { testDatabase } from "#server/testing/database";
import { goodReceiver, hookReceiver } from "#server/testing/hook-receiver";
import {
  applicationInput,
  authorizationQuery,
  mintApplication,
  mintTokens,
  postToken,
  requestIdOf,
  TestBrowser,
} from "#server/testing/oauth-world";
import { mintMember } from "#server/testing/team-world";
import { testContext } from "#server/testing/test-context";
import { mintPlayer, mintUser } from "#server/testing/world";
import { addEndpoint, changeEndpoint, rotateSecret } from "#server/webhooks/endpoint-acts";
import { listEndpoints } from "#server/webhooks/endpoint-views";
import { verifyEndpoint } from "#server/webhooks/try-endpoint";
import { registerApplication, updateApplication } from "../application-acts";
import { listApplications, showApplication } from "../own-applications";
import { createSecret } from "../secrets/secret-acts";
import {
  changeRole,
  inviteMember,
  joinTeam,
  leaveTeam,
  listInvitations,
  removeMember,
  showHistory,
  showTeam,
} from "./team-acts";
import { acceptApplication, offerApplication, withdrawOffer } from "./transfer";

const { ctx, clock } = await testContext({
  ...{ database: await testDatabase(), settings: { webhookLoopback: "allowed" } },
});
const on = ctx.database.query;
const receiver = await hookReceiver();

const noticesOf = async ({ accountId }: PortalUser, kind: string) =>
  (
    await on
      .select()
      .from(notices)
      .where(and(eq(notices.accountId, accountId), eq(notices.kind, kind)))
  ).map(({ text }) => text);
const eventsOf = (clientId: string, act: string) =>
  on
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.clientId, clientId), eq(auditLog.act, act)));
const settings = () => {
  const { kind: _, ...rest } = applicationInput();
  return rest;
};
const remove = async (user: PortalUser) => {
  const [player] = await on.select().from(players).where(eq(players.id, user.playerId));
  await deleteAccount(ctx, user, { confirmName: player?.name ?? "" });
};

async function ownedApplication(name = "Vault Clerk") {
  clock.advance(60);
  const owner = await mintUser(ctx, { name: "Ada_Owner" });
  return { owner, ...(await mintApplication(ctx, owner, { name })) };
}

describe("an invitation", () => {
  test("gives no right until it is accepted, and then its role", async () => {
    const { owner, clientId } = await ownedApplication();
    const invited = await mintUser(ctx, { name: "Bo_Builder" });
    const player = `Bo_Builder [${invited.playerId}]`;
    await inviteMember(ctx, owner, { clientId, player, role: "developer" });
    expect(await noticesOf(invited, "team-invitation")).toEqual([
      "Ada_Owner invites you to work on “Vault Clerk” as developer. Accept or decline under Applications.",
    ]);
    expect(await listInvitations(ctx, invited)).toMatchObject([
      { clientId, application: "Vault Clerk", ownerName: "Ada_Owner", role: "developer" },
    ]);
    await expect(showApplication(ctx, invited, clientId)).rejects.toThrow();
    await joinTeam(ctx, invited, { clientId });
    await joinTeam(ctx, invited, { clientId });
    expect(await showApplication(ctx, invited, clientId)).toMatchObject({ role: "developer" });
    expect(await listInvitations(ctx, invited)).toEqual([]);
    expect(await noticesOf(owner, "team-joined")).toEqual([
      "Bo_Builder joined the team of “Vault Clerk” as developer.",
    ]);
    expect(await eventsOf(clientId, "application_member.invited")).toMatchObject([
      { accountId: invited.accountId, details: { role: "developer" } },
    ]);
    expect(await eventsOf(clientId, "application_member.joined")).toHaveLength(1);
  });

  test("may be declined, and withdrawn: it is then unknown", async () => {
    const { owner, clientId } = await ownedApplication();
    const invited = await mintUser(ctx);
    const invite = () =>
      inviteMember(ctx, owner, { clientId, player: String(invited.playerId), role: "viewer" });
    await invite();
    await leaveTeam(ctx, invited, { clientId });
    expect(await eventsOf(clientId, "application_member.declined")).toHaveLength(1);
    expect(await noticesOf(owner, "team-declined")).toHaveLength(1);
    await invite();
    await removeMember(ctx, owner, { clientId, playerId: invited.playerId });
    expect(await eventsOf(clientId, "application_member.removed")).toMatchObject([
      { accountId: invited.accountId, details: { role: "viewer" } },
    ]);
    expect(await noticesOf(invited, "team-removed")).toEqual([
      "Your invitation to “Vault Clerk” was withdrawn.",
    ]);
    for (const act of [joinTeam, leaveTeam])
      await expect(act(ctx, invited, { clientId })).rejects.toMatchObject({
        name: "UnknownOAuthClient",
      });
  });

  test("is refused for players without an account here, banned ones, the owner and members", async () => {
    const { owner, clientId } = await ownedApplication();
    const visitor = await mintPlayer(ctx);
    const banned = await mintUser(ctx);
    await banAccount(ctx, createOperator(ctx), { accountId: banned.accountId, reason: "Spam." });
    const member = await mintMember(ctx, { clientId }, "viewer");
    const invite = (player: string) =>
      inviteMember(ctx, owner, { clientId, player, role: "viewer" });
    for (const player of [
      String(visitor.id),
      String(banned.playerId),
      "No_Such_Name",
      "",
      "2147483647",
    ])
      await expect(invite(player)).rejects.toMatchObject({
        details: { errors: [{ field: "player" }] },
      });
    await expect(invite(String(owner.playerId))).rejects.toThrow("You own this application.");
    await expect(invite(String(member.playerId))).rejects.toThrow("in the team already");
  });

  test("is sent at most ten times a minute by one account", async () => {
    const { owner, clientId } = await ownedApplication();
    const invite = () => inviteMember(ctx, owner, { clientId, player: "No_Such", role: "viewer" });
    for (let n = 0; n < 10; n++)
      await expect(invite()).rejects.toMatchObject({ name: "GeneralError" });
    await expect(invite()).rejects.toMatchObject({ name: "TooManyRequests" });
  });
});

/** With a secret and an endpoint that its developer created. */
async function withDeveloper() {
  const { owner, clientId, redirectUri } = await ownedApplication();
  const developer = await mintMember(ctx, { clientId }, "developer");
  const { secret } = await createSecret(ctx, developer, {
    clientId,
    name: "Theirs",
    livesDays: null,
  });
  const made = await addEndpoint(ctx, developer, {
    ...{ clientId, url: receiver.url, description: "", types: ["stocks.tick"] },
  });
  receiver.behave(goodReceiver(() => made.secret));
  await verifyEndpoint(ctx, developer, { clientId, endpointId: made.endpointId });
  const usesSecret = async () => {
    const fields = { grant_type: "refresh_token", refresh_token: "x" };
    return (await postToken(ctx, { clientId, clientSecret: secret, redirectUri }, fields)).status;
  };
  const endpoint = async () => (await listEndpoints(ctx, owner, { clientId }))[0];
  return { owner, clientId, developer, usesSecret, endpoint };
}

describe("a developer who is no longer one", () => {
  const ways: Record<string, (world: Awaited<ReturnType<typeof withDeveloper>>) => Promise<void>> =
    {
      "was removed": ({ owner, clientId, developer: { playerId } }) =>
        removeMember(ctx, owner, { clientId, playerId }),
      "became viewer": ({ owner, clientId, developer: { playerId } }) =>
        changeRole(ctx, owner, { clientId, playerId, role: "viewer" }),
      left: ({ clientId, developer }) => leaveTeam(ctx, developer, { clientId }),
      "deleted the account": ({ developer }) => remove(developer),
      "was banned": ({ developer: { accountId } }) =>
        banAccount(ctx, createOperator(ctx), { accountId, reason: "Spam." }),
    };
  test.each(Object.keys(ways))(
    "because they %s has no secret and no endpoint that works",
    async (way) => {
      const world = await withDeveloper();
      const { owner, clientId, developer, usesSecret, endpoint } = world;
      expect([await usesSecret(), (await endpoint())?.state]).toEqual([400, "enabled"]);
      await ways[way]?.(world);
      expect([await usesSecret(), (await endpoint())?.state]).toEqual([401, "paused"]);
      const late = createSecret(ctx, developer, { clientId, name: "Late", livesDays: null });
      await expect(late).rejects.toThrow();
      const { events } = await showHistory(ctx, owner, { clientId });
      expect(events.map(({ act }) => act)).toEqual(
        expect.arrayContaining(["client_secret.deleted", "webhook.paused"]),
      );
    },
  );

  test("does not pause an endpoint whose URL and secret others have set since", async () => {
    const { owner, clientId, developer, endpoint } = await withDeveloper();
    const { endpointId = "" } = (await endpoint()) ?? {};
    const key = { clientId, endpointId };
    await changeEndpoint(ctx, owner, { ...key, url: `${receiver.url}?moved` });
    const { secret } = await rotateSecret(ctx, owner, { ...key, keepDays: 0, leaked: true });
    receiver.behave(goodReceiver(() => secret));
    await verifyEndpoint(ctx, owner, key);
    await removeMember(ctx, owner, { clientId, playerId: developer.playerId });
    expect((await endpoint())?.state).toBe("enabled");
  });

  test("is named in the owner's notice with what ended", async () => {
    const { owner, clientId, developer } = await withDeveloper();
    await leaveTeam(ctx, developer, { clientId });
    expect(await noticesOf(owner, "team-left")).toEqual([
      expect.stringMatching(
        /left the team of “Vault Clerk”\. Secrets they created have ended: Theirs\. Webhook endpoints they set are paused: 1\.$/,
      ),
    ]);
    expect(await eventsOf(clientId, "application_member.left")).toHaveLength(1);
  });
});

describe("a transfer", () => {
  test("needs the other's acceptance, keeps the former owner as developer, and tells players the new owner", async () => {
    const { owner, clientId } = await ownedApplication();
    await verifyApplication(
      ctx,
      { ...owner, admin: true },
      { clientId, version: 1, verified: true },
    );
    const member = await mintMember(
      ctx,
      { clientId },
      "viewer",
      await mintUser(ctx, { name: "Nia_New" }),
    );
    const player = await mintUser(ctx);
    const app = { clientId, clientSecret: null, redirectUri: "https://client.test/cb" };
    const { secret } = await createSecret(ctx, owner, { clientId, name: "x", livesDays: null });
    const { access_token } = await mintTokens(
      ctx,
      { ...app, clientSecret: secret },
      { user: player },
    );
    const browser = await TestBrowser.signedIn(ctx, player);
    const query = authorizationQuery(app);
    const isAsked = async () =>
      (await browser.authorize(query)).headers
        .get("location")
        ?.startsWith("https://client.test") === false;
    expect(await isAsked()).toBe(false);

    await expect(acceptApplication(ctx, member, { clientId })).rejects.toThrow("no longer offered");
    await offerApplication(ctx, owner, { clientId, playerId: member.playerId });
    expect(await showTeam(ctx, owner, { clientId })).toMatchObject({ role: "owner" });
    await acceptApplication(ctx, member, { clientId });
    expect(await showTeam(ctx, member, { clientId })).toMatchObject({
      role: "owner",
      owner: { name: "Nia_New" },
      members: [{ name: "Ada_Owner", role: "developer" }],
    });
    expect(await showApplication(ctx, member, clientId)).toMatchObject({ verified: false });
    expect(await eventsOf(clientId, "application.transferred")).toMatchObject([
      {
        details: {
          owner: {
            from: `Ada_Owner [${owner.playerId}]`,
            to: `Nia_New [${member.playerId}]`,
          },
        },
      },
    ]);
    expect(await eventsOf(clientId, "application_transfer.offered")).toHaveLength(1);

    expect(await noticesOf(player, "application-transferred")).toEqual([
      expect.stringMatching(/^“Vault Clerk” now belongs to Nia_New \[\d+\]\./),
    ]);
    expect(await ctx.tokens.authenticate(access_token)).toBeDefined();
    const asked = await browser.authorize(query);
    const requestId = requestIdOf(asked);
    const shown = await showRequest(ctx, player, { requestId, browserId: browser.browserId });
    expect(shown).toMatchObject({
      application: { ownerName: "Nia_New", team: ["Ada_Owner"] },
      changed: { newOwner: true, formerName: null, newHosts: [] },
    });
    await browser.decide(asked, player);
    expect(await isAsked()).toBe(false);
  });

  test("is withdrawn by the owner, declined by the member, and replaced by an offer to another", async () => {
    const { owner, clientId } = await ownedApplication();
    const one = await mintMember(ctx, { clientId }, "developer");
    const other = await mintMember(ctx, { clientId }, "developer");
    const offerTo = ({ playerId }: PortalUser) =>
      offerApplication(ctx, owner, { clientId, playerId });
    const isRefused = (member: PortalUser) =>
      expect(acceptApplication(ctx, member, { clientId })).rejects.toMatchObject({
        name: "GeneralError",
      });
    await offerTo(one);
    await withdrawOffer(ctx, other, { clientId });
    await withdrawOffer(ctx, owner, { clientId });
    await isRefused(one);
    await offerTo(one);
    await withdrawOffer(ctx, one, { clientId });
    await isRefused(one);
    expect(await eventsOf(clientId, "application_transfer.withdrawn")).toHaveLength(2);
    await offerTo(one);
    await offerTo(other);
    await isRefused(one);
    await acceptApplication(ctx, other, { clientId });
    expect((await showTeam(ctx, other, { clientId })).members).toHaveLength(2);
  });

  test("cannot be accepted while the owner is banned, so that no banned player joins a team", async () => {
    const { owner, clientId } = await ownedApplication("Banned Clerk");
    const member = await mintMember(ctx, { clientId }, "developer");
    await offerApplication(ctx, owner, { clientId, playerId: member.playerId });
    const { accountId } = owner;
    await banAccount(ctx, createOperator(ctx), { accountId, reason: "Stole keys." });
    await expect(acceptApplication(ctx, member, { clientId })).rejects.toThrow("no longer offered");
    await unbanAccount(ctx, createOperator(ctx), { accountId });
    await acceptApplication(ctx, member, { clientId });
    expect(await showTeam(ctx, member, { clientId })).toMatchObject({ role: "owner" });
  });

  test("stops at the new owner's limit and names, and waits for a member who has joined", async () => {
    const { owner, clientId } = await ownedApplication();
    const invited = await mintUser(ctx);
    await inviteMember(ctx, owner, { clientId, player: String(invited.playerId), role: "viewer" });
    await expect(
      offerApplication(ctx, owner, { clientId, playerId: invited.playerId }),
    ).rejects.toThrow("has not accepted the invitation yet");
    await joinTeam(ctx, invited, { clientId });
    await offerApplication(ctx, owner, { clientId, playerId: invited.playerId });
    await registerApplication(ctx, invited, applicationInput({ name: "Vault Clerk" }));
    await expect(acceptApplication(ctx, invited, { clientId })).rejects.toMatchObject({
      details: { errors: [{ field: "name" }] },
    });
  });
});

describe("an owner whose account is deleted", () => {
  test("leaves the application to the longest-standing developer, not to an older viewer or a banned one", async () => {
    const { owner, clientId } = await ownedApplication();
    await mintMember(ctx, { clientId }, "viewer");
    clock.advance(1);
    const banned = await mintMember(ctx, { clientId }, "developer");
    clock.advance(1);
    const heir = await mintMember(ctx, { clientId }, "developer");
    clock.advance(1);
    const later = await mintMember(ctx, { clientId }, "developer");
    await banAccount(ctx, createOperator(ctx), { accountId: banned.accountId, reason: "Spam." });
    await offerApplication(ctx, owner, { clientId, playerId: later.playerId });
    await remove(owner);
    expect(await showApplication(ctx, heir, clientId)).toMatchObject({ role: "owner" });
    expect(await noticesOf(heir, "application-transferred")).toEqual([
      expect.stringMatching(/^Ada_Owner deleted their account\. “Vault Clerk” now belongs to /),
    ]);
    await expect(acceptApplication(ctx, later, { clientId })).rejects.toThrow("no longer offered");
  });

  test("without a developer leaves it to a viewer; with nobody it ends, and players get a notice", async () => {
    const first = await ownedApplication();
    const viewer = await mintMember(ctx, first, "viewer");
    await remove(first.owner);
    expect(await showApplication(ctx, viewer, first.clientId)).toMatchObject({ role: "owner" });
    const app = await ownedApplication();
    const invited = await mintUser(ctx);
    await inviteMember(ctx, app.owner, {
      ...{ clientId: app.clientId, player: String(invited.playerId), role: "viewer" },
    });
    const player = await mintUser(ctx);
    await mintTokens(ctx, app, { user: player });
    await remove(app.owner);
    expect(await noticesOf(player, "application-deleted")).toHaveLength(1);
    expect(await listInvitations(ctx, invited)).toEqual([]);
    const rows = await on
      .select()
      .from(applicationMembers)
      .where(eq(applicationMembers.clientId, app.clientId));
    expect(rows).toEqual([]);
  });
});

test("the history names who changed what, from what to what, for 90 days, without secrets and without addresses", async () => {
  const { owner, clientId } = await ownedApplication();
  const developer = await mintMember(
    ctx,
    { clientId },
    "developer",
    await mintUser(ctx, { name: "Dee_Dev" }),
  );
  const viewer = await mintMember(ctx, { clientId }, "viewer");
  const { secret } = await createSecret(ctx, developer, {
    clientId,
    name: "Spring",
    livesDays: 90,
  });
  await updateApplication(ctx, developer, {
    ...settings(),
    ...{ clientId, version: 1, name: "Vault Clerk", description: "Pays out." },
    privacy: { ...settings().privacy, retention: "A week." },
  });
  await verifyApplication(ctx, { ...owner, admin: true }, { clientId, version: 2, verified: true });
  await addEndpoint(ctx, developer, {
    ...{ clientId, url: "http://localhost:9/?key=hidden", description: "", types: ["stocks.tick"] },
  });
  await changeRole(ctx, owner, { clientId, playerId: viewer.playerId, role: "developer" });
  await changeRole(ctx, owner, { clientId, playerId: viewer.playerId, role: "viewer" });

  const { events } = await showHistory(ctx, developer, { clientId });
  const of = (act: string) => events.find((event) => event.act === act);
  expect(of("application.updated")).toMatchObject({
    by: { name: "Dee_Dev", playerId: developer.playerId },
    details: {
      description: { from: "", to: "Pays out." },
      retention: { from: "A day.", to: "A week." },
    },
  });
  expect(of("client_secret.created")).toMatchObject({ details: { name: "Spring", livesDays: 90 } });
  expect(of("application.verified")).toMatchObject({ by: "admin" });
  expect(of("application_member.changed")).toMatchObject({
    about: { playerId: viewer.playerId },
    details: { role: { from: "developer", to: "viewer" } },
  });
  const text = JSON.stringify(events);
  expect(text).not.toContain(secret);
  expect(text).not.toContain("192.0.2.1");
  expect(text).toContain("hidden");
  expect(JSON.stringify(await showHistory(ctx, viewer, { clientId }))).not.toMatch(
    /hidden|webhook/,
  );
  await removeMember(ctx, owner, { clientId, playerId: developer.playerId });
  expect(JSON.stringify((await showHistory(ctx, viewer, { clientId })).events)).toContain(
    "Dee_Dev",
  );
  await expect(showHistory(ctx, developer, { clientId })).rejects.toMatchObject({
    name: "UnknownOAuthClient",
  });
});

test("the history names no admin: a banned member left the team, and lost secrets, by an admin", async () => {
  const { owner, clientId } = await ownedApplication();
  const member = await mintMember(ctx, { clientId }, "developer");
  await createSecret(ctx, member, { clientId, name: "Laptop", livesDays: null });
  const admin = { ...(await mintUser(ctx)), admin: true };
  await banAccount(ctx, admin, { accountId: member.accountId, reason: "Stole keys." });
  const { events } = await showHistory(ctx, owner, { clientId });
  expect(events.slice(0, 2).map(({ act, by }) => [act, by])).toEqual([
    ["application_member.left", "admin"],
    ["client_secret.deleted", "admin"],
  ]);
});

test("the export of an account names its teams and invitations, and no other member", async () => {
  const { clientId } = await ownedApplication();
  const member = await mintMember(ctx, { clientId }, "viewer");
  await mintMember(ctx, { clientId }, "developer", await mintUser(ctx, { name: "Other_One" }));
  const { json } = await exportAccount(ctx, member);
  expect(JSON.parse(json)).toMatchObject({
    teams: [{ application: { clientId, name: "Vault Clerk" }, role: "viewer" }],
  });
  expect(json).not.toContain("Other_One");
});

test("a consent keeps the owner whom it was given to", async () => {
  const app = await ownedApplication();
  const player = await mintUser(ctx);
  await mintTokens(ctx, app, { user: player });
  const [row] = await on.select().from(consents).where(eq(consents.accountId, player.accountId));
  const [application] = await on
    .select()
    .from(applications)
    .where(eq(applications.clientId, app.clientId));
  expect(row?.applicationOwner).toBe(application?.ownerId);
  expect((await listApplications(ctx, player)).rows).toEqual([]);
});
