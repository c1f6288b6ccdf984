import { describe, expect, test } from "vitest";
import { POST as postDecision } from "#app/consent/[requestId]/decision/route";
import { readSession } from "#server/auth/sessions";
import { signInRefusals } from "#server/auth/sign-in-refused";
import { chatWorld, locationOf, type Visitor } from "#server/testing/chat-world";
import { authorizationQuery, mintApplication, requestIdOf } from "#server/testing/oauth-world";
import { at } from "#server/testing/plain-browser";
import { enableSecondFactor } from "#server/testing/second-factor";
import { mintUser, testSource } from "#server/testing/world";
import { POST as postStartChat } from "../route";
import { GET as getChatCallback } from "./route";

const { ctx, clock, simulator, log, ...world } = await chatWorld();
const { baseUrl, chat, facts, newChatId, browser, withKey, leave, withChat, link, linked } = world;
const developer = await mintUser(ctx);
const keys = simulator.demoKeys;

describe("signing in with a linked chat account", () => {
  test("opens a session of its owner, and says so in the audit log", async () => {
    const { chatId, accountId } = await linked();
    const visitor = browser();
    const response = await withChat(visitor, chatId, { next: "/account" });
    expect(response.status).toBe(303);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(locationOf(response)).toBe("/account");
    expect(await visitor.user()).toMatchObject({ accountId, authenticatedAt: ctx.now() });
    const events = await facts.eventsOf(accountId);
    expect(
      events.filter(({ act }) => act === "session.opened").map(({ details }) => details),
    ).toContainEqual({
      method: "chat",
      chat: chatId,
    });
  });

  test("always gives a new session, and the one before it is dead (PT-08)", async () => {
    const { chatId } = await linked();
    const visitor = browser();
    await withChat(visitor, chatId);
    const before = visitor.token();
    await withChat(visitor, chatId);
    expect(visitor.token()).not.toBe(before);
    expect(await readSession(ctx, before, testSource)).toBeNull();
    expect(await visitor.user()).not.toBeNull();
  });

  test.each([
    [undefined, "/start"],
    ["/account/apps", "/account/apps"],
    ["//evil.test", "/start"],
    ["https:evil.test", "/start"],
    ["/%5cevil.test", "/start"],
  ])("with next=%s leads to %s (PT-05)", async (next, location) => {
    const { chatId } = await linked();
    expect(locationOf(await withChat(browser(), chatId, next === undefined ? {} : { next }))).toBe(
      location,
    );
  });

  test("leads to the consent page where an application waits (AZ-46)", async () => {
    const { chatId } = await linked();
    const app = await mintApplication(ctx, developer);
    const visitor = browser();
    const requestId = requestIdOf(await visitor.authorize(authorizationQuery(app)));
    expect(locationOf(await withChat(visitor, chatId, { request: requestId }))).toBe(
      `/consent/${requestId}`,
    );
    const csrf = await visitor.csrf();
    const approval = await visitor.post(at(postDecision, { requestId }), {
      decision: "approve",
      csrf,
    });
    expect(locationOf(approval)).toMatch(/^https:\/\/client\.test\/cb\?code=adj_ac_.*state=xyz/);
  });

  test("leads past it where a remembered consent answers (AZ-50)", async () => {
    const { chatId } = await linked();
    const first = browser();
    await withChat(first, chatId);
    const app = await mintApplication(ctx, developer);
    const asked = requestIdOf(await first.authorize(authorizationQuery(app)));
    const csrf = await first.csrf();
    await first.post(at(postDecision, { requestId: asked }), {
      decision: "approve",
      until: "month",
      csrf,
    });
    const second = browser();
    const requestId = requestIdOf(await second.authorize(authorizationQuery(app)));
    expect(locationOf(await withChat(second, chatId, { request: requestId }))).toMatch(
      /^https:\/\/client\.test\/cb\?code=adj_ac_/,
    );
  });

  test("asks for the second factor where the account has one, and keeps the way on", async () => {
    const visitor = await withKey(keys.developer);
    const user = await visitor.user();
    if (!user) throw new Error("The developer is not signed in.");
    const chatId = newChatId();
    await link(visitor, chatId);
    await enableSecondFactor(ctx, user);
    const second = browser();
    const response = await withChat(second, chatId, { next: "/account" });
    expect(locationOf(response)).toBe("/sign-in/second-step?next=%2Faccount");
    expect(second.token()).toBeNull();
  });

  test("of a banned account is refused", async () => {
    const { chatId, accountId } = await linked();
    await facts.ban(accountId);
    const visitor = browser();
    // An immediate answer, so that no URL contains the reason.
    expect((await withChat(visitor, chatId)).status).toBe(403);
    expect(visitor.token()).toBeNull();
  });
});

describe("a chat account that is not linked", () => {
  test("signs nobody in, and is told what to do first", async () => {
    const visitor = browser();
    const response = await withChat(visitor, newChatId(), { next: "/account" });
    expect(locationOf(response)).toBe("/sign-in?error=chat-unknown&next=%2Faccount");
    expect(visitor.token()).toBeNull();
    expect(signInRefusals["chat-unknown"]).toContain("Sign in with a game key first");
  });

  test("signs nobody in even where the game says whose it is", async () => {
    const owner = await withKey(keys.loner);
    const user = await owner.user();
    const chatId = newChatId();
    await facts.gameSays(user?.playerId ?? 0, BigInt(chatId));
    const visitor = browser();
    expect(locationOf(await withChat(visitor, chatId))).toContain("error=chat-unknown");
    expect(visitor.token()).toBeNull();
  });
});

describe("the callback (PT-10)", () => {
  const refused = async (visitor: Visitor, url: URL | string, error = "chat-expired") => {
    const response = await visitor.visit(getChatCallback, url);
    expect(response.status).toBe(303);
    expect(locationOf(response)).toMatch(new RegExp(`^/sign-in\\?error=${error}`));
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(visitor.token()).toBeNull();
  };
  const back = `${baseUrl}/sign-in/chat/callback`;

  test("without state, with one of nobody's or with two signs nobody in", async () => {
    const { chatId } = await linked();
    const visitor = browser();
    const url = await chat.visit(await leave(visitor), chatId);
    await refused(visitor, back);
    await refused(visitor, `${back}?code=${url.searchParams.get("code")}`);
    await refused(visitor, `${back}?code=${url.searchParams.get("code")}&state=${"A".repeat(43)}`);
    await refused(visitor, `${url}&state=${url.searchParams.get("state")}`);
    await refused(visitor, `${back}?code=x&state='--&state=`);
    // None of them consumed this browser's pending sign-in.
    expect(locationOf(await visitor.visit(getChatCallback, url))).toBe("/start");
  });

  test("in another browser than the one that started signs nobody in, and leaves the first one its way", async () => {
    const { chatId } = await linked();
    const [attacker, victim] = [browser(), browser()];
    const url = await chat.visit(await leave(attacker), chatId);
    await refused(victim, url);
    await leave(victim);
    await refused(victim, url);
    expect(locationOf(await attacker.visit(getChatCallback, url))).toBe("/start");
  });

  test("a second time signs nobody in", async () => {
    const { chatId } = await linked();
    const visitor = browser();
    const url = await chat.visit(await leave(visitor), chatId);
    await visitor.visit(getChatCallback, url);
    const token = visitor.token();
    const again = await visitor.visit(getChatCallback, url);
    expect(locationOf(again)).toMatch(/^\/sign-in\?error=chat-expired/);
    expect(visitor.token()).toBe(token);
  });

  test("ten minutes after the start signs nobody in", async () => {
    const { chatId } = await linked();
    const visitor = browser();
    const url = await chat.visit(await leave(visitor), chatId);
    clock.advance(600);
    await refused(visitor, url);
  });

  test("just before that still signs in", async () => {
    const { chatId } = await linked();
    const visitor = browser();
    const url = await chat.visit(await leave(visitor), chatId);
    clock.advance(599);
    expect(locationOf(await visitor.visit(getChatCallback, url))).toBe("/start");
  });

  test("after a refusal of the chat's says so, and uses the state up", async () => {
    const visitor = browser();
    const url = await chat.visit(await leave(visitor, { next: "/account" }), null);
    await refused(visitor, url, "chat-declined&next=%2Faccount");
    await refused(visitor, url);
  });

  test("with an error that the chat names, or without a code, blames nobody", async () => {
    const visitor = browser();
    for (const answer of [
      "error=server_error",
      "error=<script>",
      "",
      `code=${"x".repeat(5_000)}`,
    ]) {
      const state = new URL(await leave(visitor)).searchParams.get("state") ?? "";
      await refused(visitor, `${back}?state=${state}&${answer}`, "chat-unavailable");
    }
  });

  test("with a code that the chat does not know says nothing of the chat's answer", async () => {
    const visitor = browser();
    const state = new URL(await leave(visitor)).searchParams.get("state") ?? "";
    await refused(visitor, `${back}?state=${state}&code=made-up-code`, "chat-unavailable");
    const lines = JSON.stringify(log.lines);
    expect(lines).toContain("token: HTTP 400");
    for (const secret of ["made-up-code", state, chat.settings.CHAT_CLIENT_SECRET ?? ""])
      expect(lines).not.toContain(secret);
  });

  test("ten times without a state in a minute is answered with 429", async () => {
    for (let n = 0; n < 10; n++) await refused(browser(), back);
    const response = await browser().visit(getChatCallback, back);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("nothing that opens a sign-in can be read from what is stored", async () => {
    const visitor = browser();
    const url = new URL(await leave(visitor));
    const rows = JSON.stringify(await facts.started());
    expect(rows).not.toContain(url.searchParams.get("state"));
    expect(rows).not.toContain(visitor.browserId());
  });
});

test("a start from another site leads nowhere", async () => {
  const response = await browser().post(
    postStartChat,
    {},
    { origin: "https://evil.test", "sec-fetch-site": "cross-site" },
  );
  expect(response.status).toBe(403);
  expect(response.headers.get("location")).toBeNull();
});

test("sixty starts a minute and address are enough", async () => {
  const visitor = browser();
  for (let n = 0; n < 60; n++) await leave(visitor);
  const response = await visitor.post(postStartChat, {});
  expect(response.status).toBe(429);
});
