import { expect, test } from "vitest";
import { banAccount, unbanAccount } from "#server/admin/accounts";
import { chatWorld } from "#server/testing/chat-world";
import { mintUser } from "#server/testing/world";

const { ctx, facts, simulator, browser, withKey, withChat, link, linked } = await chatWorld();
const admin = { ...(await mintUser(ctx)), admin: true };

test("PT-16: who is banned reads the reason when signing in with the chat account, too", async () => {
  const { accountId, chatId } = await linked();
  await banAccount(ctx, admin, { accountId, reason: "Sold data." });
  const visitor = browser();
  const refused = await withChat(visitor, chatId);
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain("The reason given: Sold data.");
  expect(await visitor.user()).toBeNull();
  await unbanAccount(ctx, admin, { accountId });
  expect((await withChat(visitor, chatId)).status).toBe(303);
  expect(await visitor.user()).toMatchObject({ accountId });
});

test("a refused link is in the audit log, with who tried it", async () => {
  const visitor = await withKey(simulator.demoKeys.outsider);
  const user = await visitor.user();
  await link(visitor, null);
  const events = await facts.eventsOf(user?.accountId ?? "");
  expect(events.filter(({ act }) => act === "chat_account.refused")).toMatchObject([
    { actor: `account:${user?.accountId}`, details: { method: "chat" } },
  ]);
});
