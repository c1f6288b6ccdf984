import { describe, expect, test } from "vitest";
import { GET as getChatCallback } from "#app/sign-in/chat/callback/route";
import { POST as postSignInKey } from "#app/sign-in/key/route";
import { chatWorld, locationOf } from "#server/testing/chat-world";
import { POST as postLinkChat } from "./link/route";

const { clock, simulator, ...world } = await chatWorld();
const { chat, facts, newChatId, browser, withKey, leave, withChat, link, unlink, linked, confirm } =
  world;
const keys = simulator.demoKeys;

describe("linking", () => {
  test("leaves a notice and an audit event, and keeps all digits", async () => {
    const [visitor, chatId] = [await withKey(keys.member), newChatId()];
    const response = await link(visitor, chatId);
    expect(locationOf(response)).toBe("/account?chat=linked");
    const accountId = (await visitor.user())?.accountId ?? "";
    expect(await facts.linkOf(accountId)).toBe(BigInt(chatId));
    const events = await facts.eventsOf(accountId);
    expect(events.filter(({ act }) => act === "chat_account.linked").at(-1)?.details).toEqual({
      chat: chatId,
    });
    expect(await facts.noticesOf(accountId)).toContain("chat-linked");
  });

  test("a chat account that is linked to somebody else is refused", async () => {
    const { chatId } = await linked();
    const other = await withKey(keys.outsider);
    expect(locationOf(await link(other, chatId))).toBe("/account?chat=chat-taken");
    const visitor = browser();
    await withChat(visitor, chatId);
    expect((await visitor.user())?.accountId).not.toBe((await other.user())?.accountId);
  });

  test("a second chat account is refused; the same one again is no fault", async () => {
    const { chatId } = await linked();
    const visitor = browser();
    await withChat(visitor, chatId);
    await confirm(visitor);
    expect(locationOf(await link(visitor, newChatId()))).toBe("/account?chat=chat-other");
    expect(locationOf(await link(visitor, chatId))).toBe("/account?chat=linked");
  });

  test("that is cancelled at the chat links nothing", async () => {
    const visitor = await withKey(keys.outsider);
    expect(locationOf(await link(visitor, null))).toBe("/account?chat=chat-declined");
  });

  test("wants a confirmation", async () => {
    const visitor = await withKey(keys.outsider);
    clock.advance(7_200);
    const stale = await visitor.post(postLinkChat, { csrf: await visitor.csrf() });
    expect(locationOf(stale)).toBe("/confirm?next=%2Faccount");
  });

  test("goes to the account that started it alone: not to who signed in meanwhile, nor to nobody", async () => {
    const visitor = await withKey(keys.outsider);
    const chatId = newChatId();
    const away = locationOf(await visitor.post(postLinkChat, { csrf: await visitor.csrf() }));
    const url = await chat.visit(away, chatId);
    await visitor.post(postSignInKey, { game_key: keys.loner });
    expect(locationOf(await visitor.visit(getChatCallback, url))).toBe(
      "/account?chat=chat-expired",
    );
    expect(locationOf(await withChat(browser(), chatId))).toContain("error=chat-unknown");
  });

  test("cannot be turned into a sign-in, nor a sign-in into a link", async () => {
    const visitor = await withKey(keys.outsider);
    const before = visitor.token();
    const response = await withChat(visitor, newChatId());
    expect(locationOf(response)).toContain("error=chat-unknown");
    expect(visitor.token()).toBe(before);
  });
});

describe("unlinking", () => {
  test("takes the right to sign in, and leaves a notice and an audit event", async () => {
    const { chatId, accountId } = await linked();
    const visitor = browser();
    await withChat(visitor, chatId);
    expect(locationOf(await unlink(visitor))).toBe("/confirm?next=%2Faccount");
    await confirm(visitor);
    expect(locationOf(await unlink(visitor))).toBe("/account?chat=unlinked");
    expect(await facts.noticesOf(accountId)).toContain("chat-unlinked");
    expect(locationOf(await withChat(browser(), chatId))).toContain("error=chat-unknown");
    expect((await facts.eventsOf(accountId)).map(({ act }) => act)).toContain(
      "chat_account.unlinked",
    );
    expect(locationOf(await unlink(visitor))).toBe("/account?chat=unlinked");
  });

  test("a chat account that is on its way back signs nobody in", async () => {
    const { chatId } = await linked();
    const visitor = browser();
    await withChat(visitor, chatId);
    await confirm(visitor);
    const other = browser();
    const url = await chat.visit(await leave(other), chatId);
    await unlink(visitor);
    expect(locationOf(await other.visit(getChatCallback, url))).toContain("error=chat-unknown");
  });
});
