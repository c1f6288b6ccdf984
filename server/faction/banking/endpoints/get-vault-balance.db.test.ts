import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { gameKeys } from "#db/schema/accounts";
import { players } from "#db/schema/players";
import { bankingWorld, lanternwatch } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";

const world = await bankingWorld(await testDatabase());
const { ctx, simulator, people, api } = world;
const on = ctx.database.query;
const path = "/faction/banking/vault";

beforeEach(() => world.nextMinute());

test("a balance is what the vault held at most two seconds ago, not what the game remembers of the last half minute", async () => {
  const playerId = people.member.playerId;
  for (const [money, points] of [
    [7_350_001, 420],
    [0, 0],
    [5_000_000_000_000_000, 1],
  ] as const) {
    simulator.control.setBalance({ factionId: lanternwatch, playerId, money, points });
    // One reading serves the faction for two seconds.
    world.clock.advance(2);
    const { status, json } = await api("member", path);
    expect(status).toBe(200);
    expect(json).toEqual({
      player_id: playerId,
      faction_id: lanternwatch,
      money_balance: money,
      points_balance: points,
    });
  }
});

test("a reading that cannot be stored is answered all the same", async () => {
  await on.execute(sql`alter table vault_readings rename to vault_readings_away`);
  try {
    world.clock.advance(2);
    expect(await api("member", path)).toMatchObject({
      status: 200,
      json: { player_id: people.member.playerId },
    });
  } finally {
    await on.execute(sql`alter table vault_readings_away rename to vault_readings`);
  }
});

test("the path is the vault's, and no faction's: /faction/<id>/vault does not exist", async () => {
  expect((await api("member", `/faction/${lanternwatch}/vault`)).status).toBe(404);
  expect((await api("member", path, { method: "POST", body: {} })).status).toBe(405);
});

test.each([[["faction:banking"]], [["service_key:usage"]], [["faction"]]] as const)(
  "§7 row 45: with %j alone it is 4004, since both scopes are needed",
  async (scopes) => {
    world.wire.know("half", { playerId: people.member.playerId, scopes: [...scopes] });
    expect((await api("half", path)).json).toMatchObject({ code: 4004 });
  },
);

test("the parent scope is as good", async () => {
  world.wire.know("parent", {
    playerId: people.member.playerId,
    scopes: ["faction", "service_key:usage"],
  });
  expect((await api("parent", path)).status).toBe(200);
});

describe("where there is none to be read", () => {
  test("without a faction it is 1102 (BR-11)", async () => {
    expect(await api("loner", path)).toMatchObject({ status: 404, json: { code: 1102 } });
  });

  test("without a key of a member with faction access it is 1201", async () => {
    expect(await api("outsider", path)).toMatchObject({ status: 404, json: { code: 1201 } });
  });

  test("for a member that the vault's list does not name it is 1100", async () => {
    await on.insert(players).values({ id: 900_001, name: "New_Here", factionId: lanternwatch });
    world.wire.know("newcomer", {
      playerId: 900_001,
      scopes: ["faction:banking", "service_key:usage"],
    });
    expect(await api("newcomer", path)).toMatchObject({ status: 404, json: { code: 1100 } });
  });

  test.each<[object, number, number]>([
    [{ code: 17 }, 503, 4101],
    [{ drop: true }, 503, 4101],
    [{ malformed: true }, 502, 4100],
    [{ code: 5 }, 503, 4101],
  ])("a game that answers with %j is %d %d", async (fault, status, code) => {
    simulator.control.addFault({ path: "faction", ...fault });
    expect(await api("member", path)).toMatchObject({ status, json: { code } });
  });

  test("§7 row 13: paused keys are not used, and when the last one goes it is 1201", async () => {
    const fault = { path: "faction", code: 18 };
    simulator.control.addFault({ ...fault, player: people.developer.playerId });
    simulator.control.addFault({ ...fault, player: people.banker.playerId });
    expect((await api("member", path)).json).toMatchObject({ code: 1201 });
    world.nextMinute();
    expect((await api("member", path)).json).toMatchObject({ code: 1201 });
    await on.update(gameKeys).set({ state: "active" });
    expect((await api("member", path)).status).toBe(200);
  });

  test("an answer about another faction's vault is not taken: the key's owner has moved, and is looked up", async () => {
    simulator.control.setPlayer({
      playerId: people.developer.playerId,
      factionId: 7002,
      position: "Banker",
    });
    simulator.control.setPlayer({ playerId: people.member.playerId, factionId: 7002 });
    simulator.control.clearCache();
    await on
      .update(gameKeys)
      .set({ state: "paused" })
      .where(eq(gameKeys.playerId, people.banker.playerId));
    expect((await api("member", path)).json).toMatchObject({ code: 1201 });
    const [owner] = await on
      .select()
      .from(players)
      .where(eq(players.id, people.developer.playerId));
    expect(owner?.factionId).toBe(7002);
    await on.update(gameKeys).set({ state: "active" });
    simulator.control.setPlayer({
      playerId: people.developer.playerId,
      factionId: lanternwatch,
      position: "Officer",
    });
    simulator.control.setPlayer({
      playerId: people.member.playerId,
      factionId: lanternwatch,
      position: "Member",
    });
  });
});
