import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { accounts, notices } from "#db/schema/accounts";
import { chatMessages } from "#db/schema/chat";
import { events } from "#db/schema/events";
import { consents, grants } from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks";
import { createOperator, type PortalUser, type RequestSource } from "#server/actor";
import { banAccount, unbanAccount } from "#server/admin/accounts";
import { verifyApplication } from "#server/admin/applications";
import { linkChatAccount } from "#server/auth/chat/chat-sign-in";
import { deliverDue } from "#server/chat/deliver-message";
import { readLogEnd } from "#server/event-log/read-log";
import { readVisibleEvents } from "#server/events/visible-events";
import { TooManyRequests } from "#server/failures";
import { apiPrefix } from "#server/machine-path";
import { createCaller } from "#server/portal/router";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import { startChatApi } from "#server/testing/chat-api-double";
import { countInFile } from "#server/testing/count-in-file";
import { testDatabase } from "#server/testing/database";
import { goodReceiver, hookReceiver, isSigned } from "#server/testing/hook-receiver";
import { hookSettings, testDeliverer } from "#server/testing/hook-world";
import { mintApplication, mintTokens, refresh } from "#server/testing/oauth-world";
import { portalOf } from "#server/testing/portal-script";
import { testContext } from "#server/testing/test-context";
import { mintUser, portalUser, testSource } from "#server/testing/world";
import { refusalOf } from "#server/trpc/refusal";
import { choosableTypes } from "#server/webhooks/contract";
import { demoPersonOf } from "#simulator/demo-people";
import { noticeEventTypes } from "./topics";

const api = await startChatApi();
const { ctx, clock, simulator } = await testContext({
  database: await testDatabase(),
  settings: { ...hookSettings, chatBot: api.settings },
});
const on = ctx.database.query;
const receiver = await hookReceiver();
const deliverer = await testDeliverer(ctx);
const dispatch = compileDispatch(routes, { prefix: apiPrefix });

beforeEach(async () => {
  await on.delete(webhookEndpoints);
  clock.advance(3_600);
  api.wipe();
});

let nextChatId = 1_234_567_890_123_456_701n;
/** @returns the direct channel, as the double of the chat names it */
async function linkChat(user: PortalUser): Promise<string> {
  nextChatId += 10n;
  await linkChatAccount(ctx, user, { chatId: nextChatId });
  await ctx.settled();
  api.wipe();
  return String(nextChatId + 1n);
}

async function ownWebhook(user: PortalUser, at = receiver) {
  const portal = portalOf(ctx, { ...user, confirmedAt: ctx.now() }).webhooks;
  const added = await portal.add({ clientId: null, url: at.url, types: [] });
  const key = { clientId: null, endpointId: added.endpointId };
  at.behave(goodReceiver(() => added.secret));
  expect(await portal.verify(key)).toMatchObject({ outcome: "verified" });
  await deliver();
  await ctx.settled();
  at.behave(goodReceiver(() => added.secret));
  api.wipe();
  return { key, secret: added.secret, portal };
}

const deliver = async () => {
  await ctx.settled();
  await deliverer.run();
};

const sent = () => receiver.events().map(({ body }) => body);
const texts = () =>
  api.messages.map(({ channel, body }) => {
    const [card] = body.embeds as { title: string; description: string }[];
    return [channel, card?.title, card?.description];
  });

const nextDevice = countInFile(1);
const newBrowser = (): Partial<RequestSource> => ({
  address: `203.0.113.${nextDevice()}`,
  userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0",
});

/** By the public procedure. */
async function signIn(gameKey: string, from: Partial<RequestSource>): Promise<void> {
  clock.advance(60);
  await createCaller({
    ...{ context: ctx, user: null, from: { ...testSource, ...from }, setCookie: () => {} },
    ...{ sessionToken: null, browserId: null, secondStepToken: null },
  }).signIn.withGameKey({ gameKey });
  await ctx.settled();
}

async function firstSignIn(role: "loner" | "outsider"): Promise<PortalUser> {
  await signIn(simulator.demoKeys[role], { address: "192.0.2.200", userAgent: null });
  const { playerId } = demoPersonOf(role);
  const [account] = await on
    .select({ accountId: accounts.id })
    .from(accounts)
    .where(eq(accounts.playerId, playerId));
  return portalUser(ctx, { accountId: account?.accountId ?? "", playerId });
}

const registered = (user: PortalUser, text = "A word.") =>
  ctx.database.transaction((tx) =>
    ctx.notify(tx, { accountId: user.accountId, kind: "application-registered", text }),
  );

describe("a sign-in", () => {
  const key = simulator.demoKeys.loner;

  test("PT-25: from a browser or network not seen before is told in the chat and to the webhook, in one plain form", async () => {
    const user = await firstSignIn("loner");
    const channel = await linkChat(user);
    const { secret } = await ownWebhook(user);
    const browser = newBrowser();
    await signIn(key, browser);
    await deliver();
    const text = `New sign-in with your game key: Firefox on Windows, from ${browser.address}. If that was not you, end it under “Sessions” and replace your game key.`;
    expect(texts()).toEqual([[channel, "New sign-in", text.replace(/[[\]*_~`|<>\\]/g, "\\$&")]]);
    expect(JSON.stringify(api.messages[0]?.body.components)).toContain(
      '"url":"http://localhost:3000/account/sessions"',
    );
    const [notice] = await on.select().from(notices).where(eq(notices.text, text));
    const [request] = receiver.events();
    expect(request?.body).toEqual({
      id: request?.id,
      type: "notice.sign_in",
      timestamp: notice?.createdAt.toISOString(),
      data: {
        sub: String(user.playerId),
        subject: { kind: "notice", id: notice?.id },
        notice: "new-sign-in",
        text,
        href: "http://localhost:3000/account/sessions",
      },
    });
    expect(request && isSigned(secret, request)).toBe(true);
    expect(notice?.readAt).toBeNull();
  });

  test("that opens the account, or comes from one of the last twenty browsers and networks, is not", async () => {
    const fresh = simulator.demoKeys.outsider;
    const told = async (user: PortalUser) =>
      (await on.select().from(notices).where(eq(notices.accountId, user.accountId))).filter(
        ({ kind }) => kind === "new-sign-in",
      ).length;
    const user = await firstSignIn("outsider");
    expect(await told(user)).toBe(0);
    const known = newBrowser();
    await signIn(fresh, known);
    expect(await told(user)).toBe(1);
    await signIn(fresh, known);
    await signIn(fresh, { ...known, userAgent: known.userAgent?.replaceAll("133", "134") ?? null });
    expect(await told(user)).toBe(1);
    await signIn(fresh, { ...known, userAgent: "Mozilla/5.0 (Macintosh) Firefox/133.0" });
    expect(await told(user)).toBe(2);
    for (let count = 0; count < 19; count++) await signIn(fresh, newBrowser());
    await signIn(fresh, known);
    expect(await told(user)).toBe(2 + 19 + 1);
  });
});

test("each kind: a new application, a stolen token, an expiring secret, an answered verification", async () => {
  const owner = await mintUser(ctx);
  const player = await mintUser(ctx);
  await ownWebhook(owner);
  const app = await mintApplication(ctx, owner, { name: "Roll Call" });
  const { refresh_token: token } = await mintTokens(ctx, app, { user: player });
  for (let uses = 0; uses < 3; uses++) {
    clock.advance(60);
    await refresh(ctx, app, token ?? "");
  }
  const { version } = await portalOf(ctx, owner).applications.get({ clientId: app.clientId });
  await verifyApplication(ctx, createOperator(ctx), {
    clientId: app.clientId,
    version,
    verified: true,
  });
  await deliver();
  expect(sent().map(({ type, data }) => [type, data.notice])).toEqual([
    ["notice.application", "application-registered"],
    ["notice.token_theft", "refresh-reused"],
    ["notice.verification", "application-verified"],
  ]);
  const own = await on.select().from(notices).where(eq(notices.accountId, player.accountId));
  expect(own.map(({ kind, readAt }) => [kind, readAt !== null]).sort()).toEqual([
    ["application-allowed", true],
    ["refresh-reused", false],
  ]);
});

test("ID-09: no one else gets an account's notices: no other account, no application, list or stream", async () => {
  const [user, other] = [await mintUser(ctx), await mintUser(ctx)];
  const theirs = await hookReceiver();
  const foreign = await ownWebhook(other, theirs);
  // The player's own application, approved by the player, with every type.
  const app = await mintApplication(ctx, user, { scopes: ["identity", "faction"] });
  const { access_token: token } = await mintTokens(ctx, app, { user });
  const ofApplication = await hookReceiver();
  const portal = portalOf(ctx, user).webhooks;
  const added = await portal.add({ ...app, url: ofApplication.url, types: [...choosableTypes] });
  ofApplication.behave(goodReceiver(() => added.secret));
  await portal.verify({ ...app, endpointId: added.endpointId });
  // Even if its row named them.
  const types = [...choosableTypes, ...noticeEventTypes];
  await on.update(webhookEndpoints).set({ types }).where(eq(webhookEndpoints.id, added.endpointId));
  await ownWebhook(user);
  await deliver();
  for (const each of [theirs, ofApplication]) each.behave(goodReceiver(() => "whsec_AAAA"));

  clock.advance(300);
  await registered(user);
  await deliver();
  expect(sent()).toHaveLength(1);
  expect([theirs.requests(), ofApplication.requests()]).toEqual([[], []]);
  const list = async (query = "") => {
    const headers = { authorization: `Bearer ${token}` };
    const url = `http://any.host${apiPrefix}/events${query}`;
    const answer = await dispatch(ctx, new Request(url, { headers }), { address: null });
    return (await answer.json()) as { events: { type: string }[] };
  };
  for (const query of ["", `?types=${noticeEventTypes.join(",")}`])
    expect(
      (await list(query)).events
        .map(({ type }) => type)
        .filter((type) => type.startsWith("notice.")),
    ).toEqual([]);

  // As the feed of all streams and waiting calls reads it.
  const grantsOfUser = await on
    .select({ grantId: grants.id, clientId: consents.clientId })
    .from(grants)
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .where(eq(consents.accountId, user.accountId));
  expect(grantsOfUser).toHaveLength(1);
  const readers = { grants: grantsOfUser.map((each) => ({ ...each, playerId: user.playerId })) };
  const { seq: until } = await readLogEnd(on);
  const { visible } = await readVisibleEvents(
    on,
    { after: 0, until },
    { readers, limit: 1_000, now: ctx.now() },
  );
  expect(visible.map(({ event }) => event.type)).toEqual(["grant.approved"]);

  // Replays read the log again.
  const range = {
    from: new Date(ctx.now().getTime() - 60_000),
    until: new Date(ctx.now().getTime() + 60_000),
  };
  expect(await portal.replay({ ...app, endpointId: added.endpointId, which: range })).toMatchObject(
    { queued: 0 },
  );
  expect(await foreign.portal.replay({ ...foreign.key, which: range })).toMatchObject({
    queued: 0,
  });
  // A delivery row that names another account's event sends nothing.
  const [event] = await on.select().from(events).where(eq(events.type, "notice.application"));
  await on.insert(webhookDeliveries).values({
    ...{ endpointId: foreign.key.endpointId, messageId: "evt_forged", seq: event?.seq ?? 0 },
    ...{ playerId: other.playerId, type: "notice.application", nextAt: new Date(0) },
  });
  await on
    .update(webhookEndpoints)
    .set({ dueAt: new Date(0), waiting: 1 })
    .where(eq(webhookEndpoints.id, foreign.key.endpointId));
  await deliver();
  expect(theirs.requests()).toEqual([]);
});

test("ID-09: an account's webhook looks like none to another account, by every procedure", async () => {
  const [user, other] = [await mintUser(ctx), await mintUser(ctx)];
  const { key } = await ownWebhook(user);
  const portal = portalOf(ctx, other).webhooks;
  const acts = [
    () => portal.deliveries(key),
    () => portal.verify(key),
    () => portal.change({ ...key, description: "Theirs" }),
    () => portal.rotate(key),
    () => portal.pause(key),
    () => portal.resume({ ...key, from: "now" as const }),
    () => portal.test({ ...key, type: "notice.sign_in" }),
    () => portal.replay({ ...key, which: { failedSince: new Date(0) } }),
    () => portal.remove(key),
  ];
  for (const act of acts) await expect(act()).rejects.toThrow("You have no such webhook.");
  expect(await portal.list({ clientId: null })).toEqual([]);
  // Nor does an application lead to it.
  const app = await mintApplication(ctx, other);
  await expect(portal.remove({ ...app, endpointId: key.endpointId })).rejects.toThrow(
    "no such webhook endpoint",
  );
  expect(await portalOf(ctx, user).webhooks.list({ clientId: null })).toHaveLength(1);
});

test("PT-25: what is rolled back is told to no one", async () => {
  const user = await mintUser(ctx);
  await linkChat(user);
  await ownWebhook(user);
  const failing = ctx.database.transaction(async (tx) => {
    await ctx.notify(tx, { accountId: user.accountId, kind: "code-reused", text: "A word." });
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  await deliver();
  expect([texts(), sent()]).toEqual([[], []]);
});

test("a notice of no kind of the list stays in the portal", async () => {
  const user = await mintUser(ctx);
  await linkChat(user);
  await ownWebhook(user);
  await ctx.notify(on, { accountId: user.accountId, kind: "team-role", text: "A word." });
  await deliver();
  expect([texts(), sent()]).toEqual([[], []]);
});

describe("choices", () => {
  const chosen = async (user: PortalUser) => {
    const { topics } = await portalOf(ctx, user).account.notifications();
    const of = (by: "chat" | "webhook") =>
      topics.flatMap((each) => (each[by] ? [each.topic] : [])).join(" ");
    return { chat: of("chat"), webhook: of("webhook") };
  };
  const all = "sign_in application token_theft endpoint_failing secret_expiring verification";

  test("begin with everything, are kept by kind, and are in the audit log and the export", async () => {
    const user = await mintUser(ctx);
    const channel = await linkChat(user);
    expect(await chosen(user)).toEqual({ chat: all, webhook: "" });
    await ownWebhook(user);
    expect(await chosen(user)).toEqual({ chat: all, webhook: all });
    const portal = portalOf(ctx, user).account;
    await portal.notify({ chat: ["application"], webhook: ["sign_in", "token_theft"] });
    await portal.notify({ webhook: ["token_theft", "sign_in"], chat: ["application"] });
    expect(await chosen(user)).toEqual({ chat: "application", webhook: "sign_in token_theft" });
    await deliver();
    receiver.behave((_request, response) => response.end());
    api.wipe();
    await registered(user);
    await ctx.notify(on, { accountId: user.accountId, kind: "code-reused", text: "Another." });
    await deliver();
    expect(texts()).toEqual([[channel, "New application", "A word."]]);
    expect(sent().map(({ type }) => type)).toEqual(["notice.token_theft"]);

    const [audited, ...more] = (
      await on.select().from(auditLog).where(eq(auditLog.accountId, user.accountId))
    ).filter(({ act }) => act === "notifications.changed");
    expect(more).toEqual([]);
    expect(audited?.details).toEqual({
      byChat: { from: all.split(" "), to: ["application"] },
      byWebhook: { from: all.split(" "), to: ["sign_in", "token_theft"] },
    });
    const { json } = await portal.export();
    expect(JSON.parse(json).notifications).toMatchObject({
      chatSilenced: [
        "sign_in",
        "token_theft",
        "endpoint_failing",
        "secret_expiring",
        "verification",
      ],
      webhook: { url: receiver.url, state: "enabled" },
    });
    expect(json).not.toContain("whsec_");
  });

  test("PT-26: that end something are told one last time, which cannot be switched off", async () => {
    const user = await mintUser(ctx);
    const channel = await linkChat(user);
    await ownWebhook(user);
    await portalOf(ctx, user).account.notify({ chat: [], webhook: [] });
    await deliver();
    const text = expect.stringMatching(
      /^Notifications were switched off: “New sign-in”, .*other sessions\.$/,
    );
    expect(texts()).toEqual([[channel, "Changed notifications", text]]);
    expect(sent().map(({ type, data }) => [type, data.text])).toEqual([["notice.settings", text]]);
  });

  test("of a webhook wait for one: without it they are ignored", async () => {
    const user = await mintUser(ctx);
    await portalOf(ctx, user).account.notify({ chat: ["sign_in"], webhook: ["sign_in"] });
    expect(await chosen(user)).toEqual({ chat: "sign_in", webhook: "" });
    await expect(
      // @ts-expect-error not one of the kinds
      portalOf(ctx, user).account.notify({ chat: ["settings"], webhook: [] }),
    ).rejects.toThrow();
  });
});

describe("the webhook of an account", () => {
  test("is one, signs with two secrets during a rotation, and can be tried", async () => {
    const user = await mintUser(ctx);
    const { key, secret, portal } = await ownWebhook(user);
    await expect(portal.add({ clientId: null, url: receiver.url, types: [] })).rejects.toThrow(
      "Your account can have one webhook.",
    );
    const rotated = await portal.rotate({ ...key, keepDays: 1 });
    await registered(user);
    await deliver();
    const [, request] = receiver.events();
    expect(request?.body.type).toBe("notice.application");
    expect(request && [secret, rotated.secret].map((each) => isSigned(each, request))).toEqual([
      true,
      true,
    ]);
    receiver.behave(goodReceiver(() => rotated.secret));
    expect(await portal.test({ ...key, type: "notice.token_theft" })).toMatchObject({
      delivered: true,
    });
    expect(sent()[0]).toMatchObject({
      ...{ type: "notice.token_theft", test: true },
      data: { sub: String(user.playerId), notice: "code-reused" },
    });
    await expect(portal.test({ ...key, type: "stocks.tick" })).rejects.toThrow(
      "not a type of event",
    );
  });

  test("PT-26: is not silenced by a session that was not confirmed lately", async () => {
    const user = await mintUser(ctx);
    const { key, portal } = await ownWebhook(user);
    const stolen = portalOf(ctx, { ...user, confirmedAt: null }).webhooks;
    const wanted = "Confirm it's you";
    await expect(stolen.pause(key)).rejects.toThrow(wanted);
    await expect(stolen.remove(key)).rejects.toThrow(wanted);
    await portal.pause(key);
    await registered(user, "Waits");
    await expect(stolen.resume({ ...key, from: "now" })).rejects.toThrow(wanted);
    await stolen.resume({ ...key, from: "stopped" });
    await deliver();
    expect(sent().map(({ data }) => data.text)).toContainEqual("Waits");
  });

  test("sends no more messages about its own changes than choices do", async () => {
    const user = await mintUser(ctx);
    await linkChat(user);
    const { key, portal } = await ownWebhook(user);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => portal.change({ ...key, description: `Name ${n}` })),
    );
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThanOrEqual(20);
    for (const each of refused)
      expect(refusalOf("reason" in each && each.reason).code).toBe(TooManyRequests.code);
    await expect(portalOf(ctx, user).account.notify({ chat: [], webhook: [] })).rejects.toThrow();
    await ctx.settled();
    expect(texts().length).toBe(40 - refused.length);
  });

  test("PT-25: is told the same again until it accepts, in order", async () => {
    const user = await mintUser(ctx);
    const { secret, portal, key } = await ownWebhook(user);
    receiver.behave((_request, response) => response.writeHead(500).end());
    await registered(user, "First");
    await deliver();
    const [failed] = receiver.events();
    await registered(user, "Second");
    clock.advance(600);
    receiver.behave(goodReceiver(() => secret));
    await deliver();
    expect(sent().map(({ data }) => data.text)).toEqual(["First", "Second"]);
    expect([receiver.events()[0]?.id, receiver.events()[0]?.text]).toEqual([
      failed?.id,
      failed?.text,
    ]);
    const { rows } = await portal.deliveries({ ...key, unsuccessful: true });
    expect(rows.map(({ outcome, status }) => [outcome, status])).toEqual([["failed", 500]]);
    expect(await portal.replay({ ...key, which: { messageId: failed?.id ?? "" } })).toMatchObject({
      queued: 1,
    });
    await deliver();
    expect(receiver.events().at(-1)?.text).toBe(failed?.text);
  });

  test("that answers 410 is switched off, which its player is told in the portal and the chat", async () => {
    const user = await mintUser(ctx);
    const channel = await linkChat(user);
    const { key, portal } = await ownWebhook(user);
    api.wipe();
    receiver.behave((_request, response) => response.writeHead(410).end());
    await registered(user);
    await deliver();
    await ctx.settled();
    const { host } = new URL(receiver.url);
    const text = `The webhook for your notices at ${host} answered with 410 Gone. It is switched off. Nothing is lost for seven days: fix it, then resume it.`;
    expect(texts()).toContainEqual([channel, "Failing endpoint", text]);
    const { rows } = await portalOf(ctx, user).account.notices({});
    expect(rows).toContainEqual(
      expect.objectContaining({ text, path: `/account/notifications/${key.endpointId}` }),
    );
    expect(await portal.list(key)).toMatchObject([{ state: "disabled", reason: "gone" }]);
  });

  test("is sent nothing while its account is banned, and goes with a deleted account", async () => {
    const user = await mintUser(ctx);
    const { key, secret } = await ownWebhook(user);
    await banAccount(ctx, createOperator(ctx), { accountId: user.accountId, reason: "Sold data." });
    await registered(user);
    await deliver();
    expect(sent()).toEqual([]);
    await unbanAccount(ctx, createOperator(ctx), { accountId: user.accountId });
    receiver.behave(goodReceiver(() => secret));
    await deliver();
    expect(sent().map(({ data }) => data.text)).toEqual(["A word."]);

    receiver.behave((_request, response) => response.writeHead(500).end());
    await registered(user);
    await deliver();
    const { confirmName } = { confirmName: `Player${user.playerId}` };
    await portalOf(ctx, user).account.delete({ confirmName });
    receiver.behave(goodReceiver(() => secret));
    clock.advance(86_400);
    await deliver();
    expect(sent()).toEqual([]);
    const { endpointId } = key;
    for (const [table, column] of [
      [webhookEndpoints, webhookEndpoints.id],
      [webhookDeliveries, webhookDeliveries.endpointId],
      [webhookAttempts, webhookAttempts.endpointId],
    ] as const)
      expect(await on.$count(table, eq(column, endpointId))).toBe(0);
    // The log of events holds ids alone.
    const logged = JSON.stringify(
      await on.select({ data: events.data }).from(events).where(eq(events.playerId, user.playerId)),
    );
    expect(logged).not.toContain("A word.");
  });
});

test("PT-26: an unlinked chat account, or that of a deleted account, is not sent what still waits for it", async () => {
  const user = await mintUser(ctx);
  const channel = await linkChat(user);
  const waits = async () => {
    api.fail({ when: "POST", status: 503 });
    await registered(user, "Waits");
    await ctx.settled();
    api.wipe();
  };
  await waits();
  await portalOf(ctx, user).chat.unlink();
  clock.advance(600);
  await ctx.settled();
  await deliverDue(ctx);
  expect(texts()).toEqual([
    [channel, "New sign-in", "The chat account was unlinked and can no longer sign in here."],
  ]);

  await linkChat(user);
  await waits();
  await portalOf(ctx, user).account.delete({ confirmName: `Player${user.playerId}` });
  clock.advance(600);
  await ctx.settled();
  await deliverDue(ctx);
  expect(texts()).toEqual([]);
  expect(
    JSON.stringify(await on.select({ sent: chatMessages.message }).from(chatMessages)),
  ).not.toContain("Waits");
});

test("of one account's notices at most twenty wait for the chat, which sends one after another", async () => {
  const [user, other] = [await mintUser(ctx), await mintUser(ctx)];
  const channel = await linkChat(user);
  const elsewhere = await linkChat(other);
  await ctx.database.transaction(async (tx) => {
    for (const { accountId } of [...Array.from({ length: 30 }, () => user), other])
      await ctx.notify(tx, { accountId, kind: "application-registered", text: "A word." });
  });
  await ctx.settled();
  const sentTo = (place: string) => texts().filter(([to]) => to === place).length;
  expect([sentTo(channel), sentTo(elsewhere)]).toEqual([20, 1]);
  await registered(user);
  await ctx.settled();
  expect(sentTo(channel)).toBe(21);
  expect(await on.$count(notices, eq(notices.accountId, user.accountId))).toBe(32);
});

test("PT-26: an unlinked chat account gets one last message", async () => {
  const user = await mintUser(ctx);
  const channel = await linkChat(user);
  await portalOf(ctx, user).chat.unlink();
  await ctx.settled();
  expect(texts()).toEqual([
    [channel, "New sign-in", "The chat account was unlinked and can no longer sign in here."],
  ]);
  await registered(user);
  await ctx.settled();
  expect(texts()).toHaveLength(1);
});
