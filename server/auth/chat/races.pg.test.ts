import { expect, test } from "vitest";
import type { Context } from "#server/context";
import { parseEnvironment } from "#server/platform/env";
import { chatFacts } from "#server/testing/chat-facts";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import {
  linkChatAccount,
  startChatSignIn,
  takeChatSignInProof,
  unlinkChatAccount,
} from "./chat-sign-in";

const { chatSignIn } = parseEnvironment({
  CHAT_CLIENT_ID: "adjutant",
  CHAT_CLIENT_SECRET: "of the chat",
  CHAT_AUTHORIZE_URL: "https://chat.test/authorize",
  CHAT_TOKEN_URL: "https://chat.test/token",
  CHAT_USER_URL: "https://chat.test/me",
});
const database = await testDatabase();
const here = await testContext({ database, settings: { chatSignIn } });
const there = await testContext({ database, settings: { chatSignIn }, beside: here });
const { ctx } = here;
const instances = [ctx, there.ctx];
const facts = chatFacts(ctx);
const rounds = Array.from({ length: 20 }, (_, n) => n);
const instance = (n: number): Context => instances[n % 2] ?? ctx;

test("of many accounts that link one chat account at the same moment exactly one gets it", async () => {
  for (const round of rounds) {
    const chatId = 1_000_000_000_000_000_000n + BigInt(round);
    const users = await Promise.all(Array.from({ length: 6 }, () => mintUser(ctx)));
    const outcomes = await Promise.all(
      users.map((user, n) => outcomeOf(linkChatAccount(instance(n), user, { chatId }))),
    );
    expect(outcomes.toSorted()).toEqual(["accepted", ...Array(5).fill("chat-taken")]);
    const links = await Promise.all(users.map(({ accountId }) => facts.linkOf(accountId)));
    expect(links.filter((link) => link !== undefined)).toEqual([chatId]);
    expect(links[outcomes.indexOf("accepted")]).toBe(chatId);
  }
});

test("an account that links several chat accounts at the same moment gets exactly one", async () => {
  for (const round of rounds) {
    const user = await mintUser(ctx);
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) => {
        const chatId = 2_000_000_000_000_000_000n + BigInt(round * 10 + n);
        return outcomeOf(linkChatAccount(instance(n), user, { chatId }));
      }),
    );
    expect(outcomes.toSorted()).toEqual(["accepted", ...Array(5).fill("chat-other")]);
    const events = await facts.eventsOf(user.accountId);
    expect(events.filter(({ act }) => act === "chat_account.linked")).toHaveLength(1);
  }
});

test("linking and unlinking at the same moment ends in one of the two, and both are in the audit log", async () => {
  for (const round of rounds) {
    const user = await mintUser(ctx);
    const { accountId } = user;
    const chatId = 3_000_000_000_000_000_000n + BigInt(round);
    await linkChatAccount(ctx, user, { chatId });
    const [linked] = await Promise.all([
      outcomeOf(linkChatAccount(ctx, user, { chatId })),
      unlinkChatAccount(there.ctx, user),
    ]);
    expect(["accepted", "chat-other"]).toContain(linked);
    const acts = (await facts.eventsOf(accountId)).map(({ act }) => act);
    const left =
      acts.filter((act) => act === "chat_account.linked").length -
      acts.filter((act) => act === "chat_account.unlinked").length;
    expect(await facts.linkOf(accountId)).toBe(left === 1 ? chatId : undefined);
  }
});

test("of many answers with one state at the same moment exactly one is taken (PT-10)", async () => {
  for (const round of rounds) {
    const asked = {
      next: "/account",
      accountId: null,
      browserId: null,
      address: `192.0.2.${round}`,
    };
    const { location, browserId } = await startChatSignIn(ctx, asked);
    const state = new URL(location).searchParams.get("state");
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        outcomeOf(takeChatSignInProof(instance(n), { state, browserId })),
      ),
    );
    expect(outcomes.toSorted()).toEqual(["accepted", ...Array(9).fill("chat-expired")]);
  }
});
