import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { accounts, chatIdentities } from "#db/schema/accounts";
import { chatServerFactions } from "#db/schema/chat";
import { vaultRequests } from "#db/schema/faction";
import { players } from "#db/schema/players";
import { answer } from "#server/answer";
import type { Context } from "#server/context";
import { bankingServer, bankingWorld } from "#server/testing/banking-world";
import { chatPublicKey, pressed, signedRequest, typed } from "#server/testing/chat-user";
import { testDatabase } from "#server/testing/database";
import { chatCommands } from "./execute-chat-command";

const world = await bankingWorld(await testDatabase());
const { clock, people, ask, message, simulator } = world;
const ctx: Context = { ...world.ctx, settings: { ...world.ctx.settings, chatPublicKey } };
const on = ctx.database.query;
type Role = keyof typeof people;

const chatIdOf = async (role: Role): Promise<bigint> => {
  const [row] = await on.select().from(players).where(eq(players.id, people[role].playerId));
  return row?.chatId ?? 0n;
};
const send = async (body: string) => {
  const said = await answer(ctx, signedRequest(ctx, { body }), { address: null });
  return { status: said.status, json: await said.json() };
};
/** The answer's card as text; every answer is for the user alone. */
const told = async (body: string): Promise<string> => {
  const { status, json } = await send(body);
  expect([status, json.type, json.data.flags]).toEqual([200, 4, 64]);
  return JSON.stringify(json.data);
};
const at = async (role: Role, serverId: bigint | null = bankingServer) => ({
  chatId: await chatIdOf(role),
  serverId,
});
const type = async (role: Role, name: string, values: Record<string, string | number> = {}) =>
  told(typed(await at(role), name, values));
const press = async (role: Role, action: string) => told(pressed(await at(role), action));
const request = async (id: number) =>
  (await on.select().from(vaultRequests).where(eq(vaultRequests.id, id)))[0];
const newest = async () =>
  (await on.select().from(vaultRequests)).sort((one, other) => other.id - one.id)[0];

beforeEach(async () => {
  world.nextMinute();
  await on.delete(vaultRequests);
});

test("without the chat's key there is no such path", async () => {
  const said = await answer(world.ctx, signedRequest(ctx, { body: '{"type":1}' }), {
    address: null,
  });
  expect([said.status, (await said.json()).name]).toEqual([404, "EndpointNotFound"]);
});

describe("commands", () => {
  test("balance tells what the member has in the vault", async () => {
    const text = await type("member", "balance");
    expect(text).toContain("$7,350,000");
    expect(text).toContain("420 points");
  });

  test("withdraw makes the very request that the API would, with the time that was chosen, an hour by default (§7 row 50)", async () => {
    const text = await type("member", "withdraw", { amount: "1.5m" });
    const made = await newest();
    expect(made).toMatchObject({
      ...{
        playerId: people.member.playerId,
        amount: 1_500_000,
        currency: "money_balance",
        status: "pending",
      },
      expiresAt: new Date(clock.now().getTime() + 3_600_000),
    });
    expect(text).toContain(`Vault request #${made?.id}`);
    expect(text).toContain("$1,500,000");
    await ctx.settled();
    expect(await message(`vault-request:${made?.id}`)).toMatchObject({ delivered: 1 });
    await type("member", "withdraw", { amount: "20", kind: "points", timeout: "none" });
    expect(await newest()).toMatchObject({
      amount: 20,
      currency: "points_balance",
      expiresAt: null,
    });
    expect(await type("member", "withdraw", { amount: "9", timeout: "15m" })).toContain(
      `<t:${clock.now().getTime() / 1_000 + 900}:R>`,
    );
  });

  test.each(["0", "-5k", "1a2k", "k", "", "1.0005k", "99999999999999999999"])(
    "withdraw of %j says how an amount is written",
    async (amount) => {
      expect(await type("member", "withdraw", { amount })).toContain(
        "Enter an amount, for example",
      );
      expect(await newest()).toBeUndefined();
    },
  );

  test("withdraw of more than there is, or by a choice that is not offered, is refused in words", async () => {
    expect(await type("member", "withdraw", { amount: "8m" })).toContain(
      "Not enough: $7,350,000 available.",
    );
    expect(await type("member", "withdraw", { amount: "1", timeout: "9y" })).toContain(
      "from the list",
    );
    expect(await newest()).toBeUndefined();
  });

  test("cancel without a number takes the member's newest waiting request back, and no other", async () => {
    const [older, newer] = [await ask(), await ask({ currency: "points_balance", amount: 5 })];
    const foreign = await ask({ amount: 1 }, "developer");
    expect(await type("member", "cancel")).toContain(`#${newer.id}`);
    expect((await request(newer.id))?.status).toBe("cancelled");
    expect((await request(older.id))?.status).toBe("pending");
    expect((await request(foreign.id))?.status).toBe("pending");
    await type("member", "cancel");
    expect(await type("member", "cancel")).toContain("You have no waiting request.");
  });

  test("cancel with a number is for bankers and for the member who asked", async () => {
    const { id } = await ask();
    expect(await type("developer", "cancel", { id })).toContain("Banking permission");
    expect(await type("banker", "cancel", { id })).toContain("cancelled");
    expect(await request(id)).toMatchObject({
      status: "cancelled",
      closedBy: people.banker.playerId,
    });
    expect(await type("banker", "cancel", { id })).toContain("already fulfilled or cancelled");
  });

  test("fulfil is for bankers of the request's faction (§7 row 49)", async () => {
    const { id } = await ask();
    expect(await type("member", "fulfil", { id })).toContain("Banking permission");
    expect((await request(id))?.status).toBe("pending");
    expect(await type("banker", "fulfil", { id })).toContain("you marked it as paid");
    expect(await request(id)).toMatchObject({
      status: "fulfilled",
      closedBy: people.banker.playerId,
    });
    expect(await type("banker", "fulfil", { id: 999_999 })).toContain("No such vault request");
  });

  test("that nobody knows are told so", async () => {
    expect(await type("member", "dance")).toContain("Unknown command");
  });

  test("fit the chat's rules: short names, required values first", () => {
    for (const { name, description, options } of chatCommands) {
      expect(name).toMatch(/^[a-z]{1,32}$/);
      expect(description.length).toBeLessThanOrEqual(100);
      for (const option of options) expect(option.description.length).toBeLessThanOrEqual(100);
      const required = options.map((option) => option.required);
      expect(required).toEqual([...required].sort((one, other) => Number(other) - Number(one)));
    }
  });
});

describe("buttons of a request's card", () => {
  test("fulfil for a banker; the state is saved before the card changes (§7 row 47)", async () => {
    const { id } = await ask();
    await press("banker", `vault:fulfill:${id}`);
    expect((await request(id))?.status).toBe("fulfilled");
    await ctx.settled();
    const card = (await message(`vault-request:${id}`))?.message;
    expect(card).toMatchObject({ card: { tone: "good" } });
    expect(card).not.toHaveProperty("buttons");
  });

  test("cancel for bankers alone, not even for the member who asked", async () => {
    const { id } = await ask();
    expect(await press("member", `vault:cancel:${id}`)).toContain(
      "Only bankers can use this button.",
    );
    expect((await request(id))?.status).toBe("pending");
    expect(await press("banker", `vault:cancel:${id}`)).toContain("cancelled");
  });

  test("do nothing to a request that is closed already (§7 row 47)", async () => {
    const { id } = await ask();
    await press("banker", `vault:cancel:${id}`);
    expect(await press("banker", `vault:fulfill:${id}`)).toContain(
      "already fulfilled or cancelled",
    );
    expect((await request(id))?.status).toBe("cancelled");
  });

  test.each(["vault:fulfill:", "vault:steal:1", "", "vault:cancel:1e3", "__proto__"])(
    "that are not ours (%j) do nothing",
    async (action) => {
      expect(await press("banker", action)).toContain("no longer works");
    },
  );
});

describe("who acts", () => {
  test("is unknown without a player, and is shown the way to sign in", async () => {
    const text = await told(typed({ chatId: 42n, serverId: bankingServer }, "balance"));
    expect(text).toContain("We do not know you yet");
    expect(text).toContain(`${ctx.settings.baseUrl}/sign-in`);
  });

  test("is the player who linked the chat account here, whatever the game says", async () => {
    const chatId = await chatIdOf("banker");
    const { id } = await ask();
    await on
      .insert(chatIdentities)
      .values({ chatId, accountId: people.member.accountId, linkedAt: ctx.now() });
    expect(await told(typed({ chatId, serverId: bankingServer }, "fulfil", { id }))).toContain(
      "Banking permission",
    );
    await on.delete(chatIdentities);
    await on
      .insert(chatIdentities)
      .values({ chatId: 43n, accountId: people.banker.accountId, linkedAt: ctx.now() });
    expect(await told(typed({ chatId, serverId: bankingServer }, "fulfil", { id }))).toContain(
      "do not know you",
    );
    await on.delete(chatIdentities);
  });

  test("does nothing while banned", async () => {
    const banned = (at: Date | null) =>
      on.update(accounts).set({ bannedAt: at }).where(eq(accounts.id, people.member.accountId));
    await banned(ctx.now());
    expect(await type("member", "withdraw", { amount: "1" })).toContain(
      "Your account here is closed.",
    );
    await banned(null);
    expect(await newest()).toBeUndefined();
  });

  test("in a server that is not their faction's is refused in words, not with a fault (§7 row 19)", async () => {
    for (const [role, serverId] of [
      ["member", 99n],
      ["member", null],
      ["outsider", bankingServer],
    ] as const)
      expect(await told(typed(await at(role, serverId), "withdraw", { amount: "1" }))).toContain(
        "Your faction is not linked with this chat server.",
      );
    expect(await told(typed(await at("loner"), "balance"))).toContain("You are not in a faction.");
    expect(await newest()).toBeUndefined();
  });

  test("in a server that took the faction off its list is refused at once", async () => {
    const [listing] = await on.select().from(chatServerFactions);
    await on.delete(chatServerFactions);
    expect(await type("member", "balance")).toContain("not linked with this chat server");
    if (listing) await on.insert(chatServerFactions).values(listing);
  });

  test("who left the faction in the game long ago is asked for again, and has no rights of the old one", async () => {
    const { id } = await ask();
    clock.advance(4 * 3_600);
    simulator.control.setPlayer({ playerId: people.banker.playerId, factionId: null });
    expect(await type("banker", "fulfil", { id })).toContain("You are not in a faction.");
    expect((await request(id))?.status).toBe("pending");
  });
});

test("the game being away is told in the catalogue's words", async () => {
  simulator.control.addFault({ code: 17, times: 20 });
  expect(await type("member", "balance")).toContain("That did not work");
});
