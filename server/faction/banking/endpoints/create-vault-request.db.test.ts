import { count, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { gameKeys } from "#db/schema/accounts";
import { chatServerFactions, chatServers } from "#db/schema/chat";
import { vaultRequests } from "#db/schema/faction";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import {
  bankingChannel,
  bankingRole,
  bankingServer,
  bankingWorld,
  copperTide,
  lanternwatch,
} from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { fulfilRequest } from "../request-acts";

const world = await bankingWorld(await testDatabase());
const { ctx, clock, simulator, people, api, message, link } = world;
const on = ctx.database.query;
const path = `/faction/${lanternwatch}/banking`;
const money = { type: "money_balance" };

const create = (body: unknown, role = "member", headers: Record<string, string> = {}) =>
  api(role, path, { method: "POST", body, headers });
const rows = async () => (await on.select({ n: count() }).from(vaultRequests))[0]?.n;
/** Sets what the vault holds for the member, and waits until earlier readings of it are shared no more. */
const balance = (amounts: { money?: number; points?: number }) => {
  world.clock.advance(2);
  simulator.control.setBalance({
    factionId: lanternwatch,
    playerId: people.member.playerId,
    ...amounts,
  });
};

beforeEach(async () => {
  await on.delete(vaultRequests);
  world.nextMinute();
  balance({ money: 10_000_000, points: 300 });
});

describe("a request", () => {
  test("is answered with the seven fields of the specification and nothing else", async () => {
    const timeout = Math.floor(clock.now().getTime() / 1_000) + 900;
    const { status, json } = await create({ amount: "$2,500,000", ...money, timeout });
    expect(status).toBe(200);
    expect(json).toEqual({
      id: expect.any(Number),
      guid: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      user_id: people.member.playerId,
      faction_id: lanternwatch,
      amount: 2_500_000,
      type: "money_balance",
      expires_at: timeout,
    });
  });

  test.each<[unknown, string, number]>([
    [1, "money_balance", 1],
    ["1.5m", "money_balance", 1_500_000],
    ["all", "money_balance", 10_000_000],
    ["ALL", "points_balance", 300],
    [300, "points_balance", 300],
  ])("FZ-01: for %j of %s comes to %d", async (amount, type, resolved) => {
    const { status, json } = await create({ amount, type });
    expect([status, json]).toMatchObject([200, { amount: resolved, type, expires_at: null }]);
  });

  test("shows itself as a card in the banking channel, mentions the roles, and is audited", async () => {
    const { json } = await create({ amount: 5_000, ...money });
    const { id, guid } = json as { id: number; guid: string };
    const card = await message(`vault-request:${id}`);
    expect(card).toMatchObject({ channelId: bankingChannel, recipientId: null });
    expect(card?.message).toMatchObject({
      mentions: [String(bankingRole)],
      card: { body: "Cleo_Marsh [1003] requests $5,000." },
    });
    expect(JSON.stringify(card?.message)).toContain(
      `${ctx.settings.baseUrl}/faction/banking/fulfill/${guid}`,
    );
    const [event] = await on
      .select()
      .from(auditLog)
      .where(eq(auditLog.act, "vault_request.created"));
    expect(event).toMatchObject({
      actor: `account:${people.member.accountId}`,
      accountId: people.member.accountId,
    });
  });
});

describe("the body is looked at first (1000)", () => {
  test.each([
    ...[
      0,
      -1,
      1.5,
      "0",
      "-5k",
      " 1m ",
      "1.0005k",
      "0x10",
      "1e3",
      "１０",
      true,
      null,
      [],
      {},
      "k",
      "1a2k",
    ],
    ...["9007199254740992", "x".repeat(60_000)],
  ])("FZ-01: an amount of %j", async (amount) => {
    const { status, json } = await create({ amount, ...money });
    expect([status, json]).toMatchObject([
      400,
      { code: 1000, details: { errors: [{ field: "amount" }] } },
    ]);
    expect(await rows()).toBe(0);
  });

  test.each(["9007199254740992", "9223372036854775808", "1e309", "-0", "1.0e-3"])(
    "FZ-01: an amount of the number %s in the JSON",
    async (number) => {
      const { status, json } = await create(`{"amount":${number},"type":"money_balance"}`);
      expect([status, json]).toMatchObject([400, { code: 1000 }]);
    },
  );

  test.each(["Money_Balance", "money", "", null, ["money_balance"], 1, undefined])(
    "FZ-02: a type of %j",
    async (type) => {
      const { status, json } = await create({ amount: 1, type });
      expect([status, json]).toMatchObject([
        400,
        { code: 1000, details: { errors: [{ field: "type" }] } },
      ]);
    },
  );

  test.each([0, -1, 1_000, 2 ** 31, 2 ** 53, 1.5, true, "1800000000", "soon", [], "null"])(
    "FZ-03 and §7 row 39: a timeout of %j",
    async (timeout) => {
      const { status, json } = await create({ amount: 1, ...money, timeout });
      expect([status, json]).toMatchObject([
        400,
        { code: 1000, details: { errors: [{ field: "timeout" }] } },
      ]);
    },
  );

  test("FZ-03: a timeout of this very second is past; the latest and none are not", async () => {
    const now = Math.floor(clock.now().getTime() / 1_000);
    expect((await create({ amount: 1, ...money, timeout: now })).status).toBe(400);
    expect((await create({ amount: 1, ...money, timeout: now + 1 })).status).toBe(200);
    for (const timeout of [2 ** 31 - 1, null]) {
      const { json } = await create({ amount: 1, ...money, timeout });
      expect(json).toMatchObject({ expires_at: timeout });
    }
  });

  test("FZ-07: names of prototypes are ignored, and nothing of them stays", async () => {
    const body =
      '{"amount":1,"type":"money_balance","__proto__":{"type":"points_balance"},"constructor":{"prototype":{"x":1}}}';
    expect((await create(body)).json).toMatchObject({ type: "money_balance" });
    expect((await create({ amount: 1, type: "points_balance" })).json).toMatchObject({
      type: "points_balance",
    });
  });

  test("FZ-09: text that no amount is, however strange or long, is refused and stored nowhere", async () => {
    for (const amount of ["💰💰", "\u202e1m", "1\u200b000"])
      expect((await create({ amount, ...money })).status).toBe(400);
    expect((await create({ amount: "1".repeat(1_048_576), ...money })).status).toBe(413);
    expect(await rows()).toBe(0);
  });
});

describe("then the faction, the link, the key, the game, the balance, in this order", () => {
  const anything = { amount: 1, ...money };
  const codeOf = async (role: string, body: unknown = anything, at = path) => {
    const { status, json } = await api(role, at, { method: "POST", body });
    return [status, (json as { code: number }).code];
  };
  const linked = (server: bigint | null) => link(lanternwatch, server);
  const keys = (state: "active" | "paused") => on.update(gameKeys).set({ state });

  test("ID-01: another faction is 4022, without a faction it is 1102 (BR-11), and no call to the game is made (§7 row 40)", async () => {
    simulator.control.addFault({ path: "faction", code: 17, times: 1 });
    expect(await codeOf("member", anything, `/faction/${copperTide}/banking`)).toEqual([403, 4022]);
    expect(await codeOf("outsider")).toEqual([403, 4022]);
    expect(await codeOf("loner")).toEqual([404, 1102]);
    expect(await codeOf("loner", { amount: 0, ...money })).toEqual([400, 1000]);
    expect(await codeOf("member", anything, "/faction/2147483647/banking")).toEqual([403, 4022]);
  });

  test("without a linked server, with one that does not list the faction, without a channel", async () => {
    await keys("paused");
    try {
      await linked(null);
      expect(await codeOf("member")).toEqual([404, 1001]);
      await on
        .insert(chatServers)
        .values({ id: 77n, name: "Elsewhere", lastRefresh: ctx.now() })
        .onConflictDoNothing();
      await linked(77n);
      expect(await codeOf("member")).toEqual([403, 4021]);
      await linked(bankingServer);
      await on.update(chatServerFactions).set({ bankingChannelId: null });
      expect(await codeOf("member")).toEqual([409, 1603]);
      await on.update(chatServerFactions).set({ bankingChannelId: bankingChannel });
      expect(await codeOf("member")).toEqual([404, 1201]);
    } finally {
      await linked(bankingServer);
      await on.update(chatServerFactions).set({ bankingChannelId: bankingChannel });
      await keys("active");
    }
  });

  test.each<[object, [number, number]]>([
    [{ code: 17 }, [503, 4101]],
    [{ drop: true }, [503, 4101]],
    [{ malformed: true }, [502, 4100]],
  ])(
    "§7 row 40: a game that answers with %j is told as such, never as 500",
    async (fault, answer) => {
      simulator.control.addFault({ path: "faction", ...fault });
      expect(await codeOf("member", { amount: 99_999_999_999, ...money })).toEqual(answer);
      expect(await rows()).toBe(0);
    },
  );

  test("a key that the game refuses is set aside, and the next member's is asked", async () => {
    simulator.control.addFault({ player: people.developer.playerId, code: 2 });
    const { status } = await create(anything);
    expect(status).toBe(200);
    await keys("active");
  });

  test("§7 row 40: a member who does not stand in the vault's list has nothing in it", async () => {
    const { id } = await newcomer();
    world.wire.know("newcomer", {
      playerId: id,
      accountId: people.loner.accountId,
      scopes: ["faction:banking"],
    });
    expect(await codeOf("newcomer")).toEqual([422, 1602]);
  });

  const newcomer = async () => {
    const [row] = await on
      .insert(players)
      .values({ id: 900_001, name: "New_Here", factionId: lanternwatch })
      .returning();
    if (!row) throw new Error("The player was not inserted.");
    return row;
  };
});

describe("the balance", () => {
  const statusOf = async (amount: number | string, type = "money_balance") =>
    (await create({ amount, type })).status;

  test("must cover what is pending of the kind and the new amount together", async () => {
    balance({ money: 1_000, points: 10 });
    expect(await statusOf(1_001)).toBe(422);
    expect(await statusOf(600)).toBe(200);
    expect(await statusOf(401)).toBe(422);
    expect(await statusOf(400)).toBe(200);
    expect(await statusOf(1)).toBe(422);
    expect(await statusOf(10, "points_balance")).toBe(200);
  });

  test("too small a one is 1602 with what there is and what is spoken for", async () => {
    balance({ money: 1_000 });
    await statusOf(600);
    const { json } = await create({ amount: 500, ...money });
    expect(json).toMatchObject({ code: 1602, details: { balance: 1_000, pending: 600 } });
    expect((json as { message: string }).message).toBe(
      "Not enough: $400 available, $600 already requested.",
    );
  });

  test("`all` wants a positive balance, and nothing pending of the kind", async () => {
    balance({ money: 0, points: 5 });
    expect(await statusOf("all")).toBe(422);
    expect(await statusOf("all", "points_balance")).toBe(200);
    expect(await statusOf("all", "points_balance")).toBe(422);
    balance({ money: 5 });
    simulator.control.clearCache();
    expect(await statusOf("all")).toBe(200);
  });

  test("is the present one: what a banker paid a moment ago, whatever for, is not there any more", async () => {
    balance({ money: 1_000 });
    expect((await create({ amount: 1_000, ...money })).status).toBe(200);
    const { json } = await api("member", path);
    const [{ guid } = { guid: "" }] = json as { guid: string }[];
    await fulfilRequest(ctx, people.banker, { request: guid });
    const [by, to] = [people.banker.playerId, people.member.playerId];
    simulator.control.giveFunds({ factionId: lanternwatch, by, to, money: 1_000 });
    clock.advance(1);
    expect(await statusOf(1)).toBe(422);
  });

  test("is free again when a request is cancelled or its time is over, to the millisecond", async () => {
    balance({ money: 1_000 });
    const timeout = Math.floor(clock.now().getTime() / 1_000) + 30;
    expect((await create({ amount: 1_000, ...money, timeout })).status).toBe(200);
    clock.set(new Date(timeout * 1_000 - 1));
    expect(await statusOf(1)).toBe(422);
    clock.set(new Date(timeout * 1_000));
    const { json } = await create({ amount: 1_000, ...money });
    await api("member", `${path}/${(json as { id: number }).id}`, { method: "DELETE" });
    expect(await statusOf(1_000)).toBe(200);
  });

  test("of one member is not touched by another's requests", async () => {
    balance({ money: 1_000 });
    expect((await create({ amount: 5_000_000, ...money }, "banker")).status).toBe(200);
    expect(await statusOf(1_000)).toBe(200);
  });
});

test("a repeated call with the same Idempotency-Key makes one request, and another body with it is 1700", async () => {
  const headers = { "idempotency-key": "once" };
  const first = await create({ amount: 7, ...money }, "member", headers);
  const again = await create({ amount: 7, ...money }, "member", headers);
  expect(again.text).toBe(first.text);
  expect(await rows()).toBe(1);
  expect((await create({ amount: 8, ...money }, "member", headers)).json).toMatchObject({
    code: 1700,
  });
});

test("without the scope nothing is done", async () => {
  world.wire.know("bare", {
    playerId: people.member.playerId,
    scopes: ["identity", "faction:crimes"],
  });
  expect((await create({ amount: 7, ...money }, "bare")).json).toMatchObject({ code: 4004 });
  expect(await rows()).toBe(0);
});
