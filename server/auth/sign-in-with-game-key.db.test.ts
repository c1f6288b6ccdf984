import { count, eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { accounts, gameKeys, sessions } from "#db/schema/accounts";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import type { RequestSource } from "#server/actor";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import { signedIn } from "#server/testing/signed-in";
import { testContext } from "#server/testing/test-context";
import { sentFrom, testSource, visitor } from "#server/testing/world";
import { readSession } from "./sessions";
import { signInWithGameKey } from "./sign-in-with-game-key";

const { ctx, clock, simulator, log } = await testContext({ database: await testDatabase() });
const keys = simulator.demoKeys;
const on = ctx.database.query;

let addresses = 0;
/** A new address per try, so that tests do not share windows. */
const nextAddress = () => `198.51.100.${addresses++}`;

const signIn = async (
  gameKey: string,
  {
    previousSession = null,
    ...from
  }: Partial<RequestSource & { previousSession: string | null }> = {},
  context = ctx,
) => {
  const source = { requestId: ctx.ids.request(), address: nextAddress(), userAgent: "Firefox" };
  const by = sentFrom(visitor, { ...source, ...from });
  return signedIn(await signInWithGameKey(context, by, { gameKey, previousSession }));
};

const keyOf = (
  playerId: number,
  more: { level?: 0 | 1 | 2 | 3 | 4; selections?: Record<string, string[]> } = {},
) => simulator.control.createKey({ playerId, ...more }).key;

afterEach(async () => {
  simulator.control.clearFaults();
  await ctx.settled();
});

test("a key that was pasted with quotes, unseen characters or its name signs in", async () => {
  for (const pasted of ["\u200b KEY \u00ad", "`KEY`", '"key=KEY"'])
    expect(await outcomeOf(signIn(pasted.replace("KEY", simulator.demoKeys.loner)))).toBe(
      "accepted",
    );
});

describe("a sign-in with a game key", () => {
  test("is answered by a game that refuses callers without a name of their own", async () => {
    const strict = await testContext({ database: ctx.database });
    strict.simulator.control.setBehaviour({ agentsWanted: true });
    const { user } = await signIn(strict.simulator.demoKeys.developer, {}, strict.ctx);
    expect(user.playerId).toBe(1001);
  });

  test("makes the player known, opens an account, keeps the key sealed and starts a session", async () => {
    const { sessionToken, user } = await signIn(keys.developer);
    expect(user).toMatchObject({
      kind: "portal",
      playerId: 1001,
      admin: false,
      authenticatedAt: ctx.now(),
    });
    expect(await readSession(ctx, sessionToken, user.from)).toEqual(user);

    const [player] = await on.select().from(players).where(eq(players.id, 1001));
    expect(player).toMatchObject({ name: "Ada_Quill", factionId: 7001 });
    const stored = await on.select().from(gameKeys).where(eq(gameKeys.accountId, user.accountId));
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({
      playerId: 1001,
      lastFour: "r001",
      state: "active",
      level: 3,
    });
    expect(JSON.stringify(stored)).not.toContain(keys.developer);
  });

  test("lists the members of the faction after the answer", async () => {
    await signIn(keys.outsider);
    await ctx.settled();
    const members = await on
      .select({ n: count() })
      .from(players)
      .where(eq(players.factionId, 7002));
    expect(members[0]?.n).toBeGreaterThan(1);
  });

  test("works for a player without a faction", async () => {
    const { user } = await signIn(keys.loner);
    expect(user.playerId).toBe(1005);
  });

  test("once more finds the same account and key, under a new session", async () => {
    const first = await signIn(keys.banker);
    const again = await signIn(keys.banker);
    expect(again.user.accountId).toBe(first.user.accountId);
    expect(again.sessionToken).not.toBe(first.sessionToken);
    expect(
      await on.select().from(gameKeys).where(eq(gameKeys.accountId, first.user.accountId)),
    ).toHaveLength(1);
    expect(await readSession(ctx, first.sessionToken, testSource)).not.toBeNull();
  });

  test("ends the session that the browser had before (PT-08)", async () => {
    const first = await signIn(keys.banker);
    const again = await signIn(keys.banker, { previousSession: first.sessionToken });
    expect(await readSession(ctx, first.sessionToken, testSource)).toBeNull();
    expect(await readSession(ctx, again.sessionToken, again.user.from)).toEqual(again.user);
  });

  test("never takes over a session id that the browser brought (PT-08)", async () => {
    const planted = "A".repeat(43);
    const { sessionToken } = await signIn(keys.banker, { previousSession: planted });
    expect(sessionToken).not.toBe(planted);
    expect(await readSession(ctx, planted, testSource)).toBeNull();
  });

  test("with another player's key signs in as that player, and leaves the first account's keys alone", async () => {
    const first = await signIn(keys.member);
    const other = await signIn(keys.outsider, { previousSession: first.sessionToken });
    expect(other.user.playerId).toBe(1004);
    expect(other.user.accountId).not.toBe(first.user.accountId);
    const owners = await on
      .select({ playerId: gameKeys.playerId })
      .from(gameKeys)
      .where(eq(gameKeys.accountId, first.user.accountId));
    expect(owners).toEqual([{ playerId: 1003 }]);
    expect(await readSession(ctx, first.sessionToken, testSource)).toBeNull();
  });

  test("takes a key with space around it, as it comes from a clipboard", async () => {
    expect((await signIn(` ${keys.loner}\n`)).user.playerId).toBe(1005);
  });

  test("makes a player named in the settings an administrator", async () => {
    const settings = { ...ctx.settings, adminUserIds: [1005] };
    const { user } = await signIn(keys.loner, {}, { ...ctx, settings });
    expect(user.admin).toBe(true);
  });

  test("two first sign-ins at once make one account", async () => {
    const key = keyOf(await somePlayer());
    const [one, two] = await Promise.all([signIn(key), signIn(key)]);
    expect(one?.user.accountId).toBe(two?.user.accountId);
    expect(one?.sessionToken).not.toBe(two?.sessionToken);
  });

  test.each([1, 2, 3, 4] as const)("takes a key of level %i", async (level) => {
    expect((await signIn(keyOf(1005, { level }))).user.playerId).toBe(1005);
  });

  test("takes a custom key that may read what is needed, and refuses one that may not", async () => {
    const enough = keyOf(1005, {
      level: 0,
      selections: { key: ["info"], user: ["profile", "discord", "faction"] },
    });
    const little = keyOf(1005, { level: 0, selections: { key: ["info"], user: ["profile"] } });
    expect(await outcomeOf(signIn(enough))).toBe("accepted");
    expect(await outcomeOf(signIn(little))).toBe("key-insufficient");
  });
});

describe("a refused sign-in", () => {
  test.each([
    "",
    "short",
    "DemoDeveloper0012",
    "DemoDeveloper-01",
    "DemoDeveloper0\u0000",
    "ＤemoDeveloper01",
  ])("%j is no key, and the game is not asked", async (gameKey) => {
    simulator.control.addFault({ http: 500 });
    expect(await outcomeOf(signIn(gameKey))).toBe("malformed");
  });

  test.each<[string, Parameters<typeof simulator.control.addFault>[0]]>([
    ["wrong-key", { code: 2 }],
    ["key-paused", { code: 18 }],
    ["owner-unavailable", { code: 10 }],
    ["owner-unavailable", { code: 13 }],
    ["key-just-changed", { code: 11 }],
    ["game-unavailable", { code: 5 }],
    ["game-unavailable", { code: 8 }],
    ["game-unavailable", { code: 9 }],
    ["game-unavailable", { code: 17 }],
    ["game-unavailable", { http: 502 }],
    ["game-unavailable", { drop: true }],
    ["game-unavailable", { malformed: true }],
  ])("says %s when the game answers %j", async (reason, fault) => {
    clock.advance(60);
    simulator.control.addFault({ path: "key", ...fault });
    expect(await outcomeOf(signIn(keyOf(1005)))).toBe(reason);
  });

  test("leaves no session and no key when the game fails half-way", async () => {
    clock.advance(60);
    const key = keyOf(await somePlayer());
    simulator.control.addFault({ path: "user", http: 500, times: 5 });
    const before = await on.select({ n: count() }).from(sessions);
    expect(await outcomeOf(signIn(key))).toBe("game-unavailable");
    expect(await on.select({ n: count() }).from(sessions)).toEqual(before);
    expect(
      await on
        .select()
        .from(gameKeys)
        .where(eq(gameKeys.keyHmac, printOf(key))),
    ).toEqual([]);
  });

  test("a banned account gets no session, and its old ones are dead", async () => {
    const key = keyOf(await somePlayer());
    const { sessionToken, user } = await signIn(key);
    await on.update(accounts).set({ bannedAt: ctx.now() }).where(eq(accounts.id, user.accountId));
    expect(await readSession(ctx, sessionToken, testSource)).toBeNull();
    expect(await outcomeOf(signIn(key))).toBe("banned");
  });

  test("is audited with an HMAC of the key, and nowhere is the key itself", async () => {
    const wrong = "WrongKeyWrongKey";
    await outcomeOf(signIn(wrong));
    await signIn(keys.loner);
    await ctx.settled();
    const events = await on.select().from(auditLog);
    const [failed] = events.filter(
      (event) => event.act === "session.refused" && event.details.key === printOf(wrong),
    );
    expect(failed).toMatchObject({ actor: "anonymous", details: { reason: "wrong-key" } });
    expect(
      events.some(
        (event) => event.act === "session.opened" && event.details.key === printOf(keys.loner),
      ),
    ).toBe(true);
    for (const key of [wrong, ...Object.values(keys)]) {
      expect(
        JSON.stringify(events, (_, value) => (typeof value === "bigint" ? String(value) : value)),
      ).not.toContain(key);
      expect(JSON.stringify(log.lines)).not.toContain(key);
    }
  });
});

describe("throttling", () => {
  const wrongKey = (n: number) => `Wrong${String(n).padStart(11, "0")}`;
  const from = (address: string | null) => ({ address });

  test("after ten failures from an address in a minute it may not try on, not even with a right key", async () => {
    const origin = from("203.0.113.1");
    for (let n = 0; n < 10; n++)
      expect(await outcomeOf(signIn(wrongKey(n), origin))).toBe("wrong-key");
    expect(await outcomeOf(signIn(wrongKey(10), origin))).toBe("throttled");
    expect(await outcomeOf(signIn(keys.loner, origin))).toBe("throttled");
    expect(await outcomeOf(signIn(keys.loner, from("203.0.113.2")))).toBe("accepted");
    clock.advance(60);
    expect(await outcomeOf(signIn(keys.loner, origin))).toBe("accepted");
  });

  test("the addresses of one IPv6 network are one", async () => {
    const address = (host: number) => from(`2001:db8:7:1::${host + 1}`);
    for (let n = 0; n < 10; n++)
      expect(await outcomeOf(signIn(wrongKey(n + 40), address(n)))).toBe("wrong-key");
    expect(await outcomeOf(signIn(wrongKey(50), address(10)))).toBe("throttled");
    expect(await outcomeOf(signIn(keys.loner, from("2001:db8:7:2::1")))).toBe("accepted");
  });

  test("a throttled try says how long to wait", async () => {
    const origin = from("203.0.113.3");
    for (let n = 0; n < 10; n++) await outcomeOf(signIn(wrongKey(n + 20), origin));
    await expect(signIn(wrongKey(30), origin)).rejects.toMatchObject({
      retryAfter: 60 - ctx.now().getUTCSeconds(),
    });
  });

  test("§7 row 20: after five failures with one key it is throttled for the whole minute, wherever it comes from", async () => {
    clock.advance(60);
    for (let n = 0; n < 5; n++) expect(await outcomeOf(signIn(wrongKey(99)))).toBe("wrong-key");
    expect(await outcomeOf(signIn(wrongKey(99)))).toBe("throttled");
  });

  test("the keys of one account share a window", async () => {
    clock.advance(60);
    const [one, two] = [keyOf(1005), keyOf(1005)];
    await signIn(one);
    await signIn(two);
    simulator.control.deleteKey({ key: one });
    simulator.control.deleteKey({ key: two });
    simulator.control.clearCache();
    const tries = [one, two, one, two, one, two];
    const reasons: string[] = [];
    for (const key of tries) reasons.push(await outcomeOf(signIn(key)));
    expect(reasons).toEqual([...Array(5).fill("wrong-key"), "throttled"]);
  });

  test("right keys are not counted", async () => {
    clock.advance(60);
    const origin = from("203.0.113.4");
    for (let n = 0; n < 12; n++)
      expect(await outcomeOf(signIn(keys.loner, origin))).toBe("accepted");
  });

  test("an outage of the game is held against nobody", async () => {
    clock.advance(60);
    const origin = from("203.0.113.5");
    simulator.control.addFault({ path: "key", http: 502, times: 12 });
    for (let n = 0; n < 12; n++)
      expect(await outcomeOf(signIn(keys.loner, origin))).toBe("game-unavailable");
    // After five failures the game is not asked for a moment.
    simulator.control.clearFaults();
    clock.advance(5);
    expect(await outcomeOf(signIn(keys.loner, origin))).toBe("accepted");
  });

  test("of many failures at the same moment those beyond the limit learn nothing and never reach the game", async () => {
    clock.advance(60);
    const asked = vi.spyOn(ctx.game, "keyInfo");
    const origin = from("203.0.113.6");
    const tries = Array.from({ length: 25 }, (_, n) =>
      outcomeOf(signIn(wrongKey(200 + n), origin)),
    );
    const reasons = await Promise.all(tries);
    expect(reasons.filter((reason) => reason === "wrong-key")).toHaveLength(10);
    expect(reasons.filter((reason) => reason === "throttled")).toHaveLength(15);
    expect(asked).toHaveBeenCalledTimes(10);
  });

  test("peers whose address is unknown share one window", async () => {
    clock.advance(60);
    for (let n = 0; n < 10; n++) await outcomeOf(signIn(wrongKey(300 + n), from(null)));
    expect(await outcomeOf(signIn(keys.loner, from(null)))).toBe("throttled");
  });
});

const printOf = (key: string) => ctx.keyring.hmac("game-key", key).hash;

let taken = 0;
/** A player that no other test uses. */
async function somePlayer(): Promise<number> {
  const members = await ctx.game.factionMembers(keys.developer, 7001);
  const id = members.map((member) => member.playerId).filter((playerId) => playerId > 1005)[
    taken++
  ];
  if (id === undefined) throw new Error("The faction is too small.");
  return id;
}
