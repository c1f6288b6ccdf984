import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { organizedCrimes } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import { testDatabase } from "#server/testing/database";
import { mintEntry, mintScore } from "#server/testing/stat-facts";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintPlayer, mintUser, sentFrom, testSource } from "#server/testing/world";
import { enrolPlayer } from "#server/users/enrol-player";
import { demoPersonOf } from "#simulator/demo-people";
import { addRetaliations } from "./attacks/store";
import { insertCrimeDelays } from "./crimes/store";
import { requireMembership } from "./positions/membership";
import { changeStatSharing } from "./scores";
import {
  exportMembersCsv,
  showBoard,
  showDelayedCrimes,
  showHits,
  showMembers,
  showPendingVaultRequests,
} from "./show-board";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database, settings: { demo: "off" } });
const { query } = database;
const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1_000);

const world: {
  ours: number;
  theirs: number;
  leader: Awaited<ReturnType<typeof mintUser>>;
  plain: Awaited<ReturnType<typeof mintUser>>;
} = {} as never;

beforeEach(async () => {
  world.ours = (await mintFaction(ctx, { name: "Lanternwatch" })).id;
  world.theirs = (await mintFaction(ctx)).id;
  world.leader = await mintUser(ctx, { factionId: world.ours, positionName: "Leader" });
  world.plain = await mintUser(ctx, { factionId: world.ours, positionName: "Member" });
});

const hit = (
  factionId: number,
  code: string,
  defenderId: number,
  seconds: number,
  attackerId = 9,
) =>
  addRetaliations(query, factionId, [
    {
      code,
      attackEnded: ago(seconds),
      defenderId,
      defenderName: "Cleo",
      attackerId,
      attackerName: "Rook",
    },
  ]);

async function holdUp(factionId: number, crimeId: number, playerId: number, seconds: number) {
  const about = { name: "Break the Bank", lastSeen: ago(1) };
  await query
    .insert(organizedCrimes)
    .values({ id: crimeId, factionId, ...about, delayedSince: ago(seconds) });
  const delay = {
    slot: "P1",
    position: "Robber",
    positionIndex: 2,
    reason: "In hospital for 50 mins",
  };
  await insertCrimeDelays(query, {
    factionId,
    delays: [{ crimeId, playerId, ...delay }],
    at: ago(seconds),
  });
}

describe("the board", () => {
  test("shows hits that can still be answered, with the end of their time and the link that attacks back", async () => {
    const { playerId } = world.plain;
    await hit(world.ours, `open ${playerId}`, playerId, 100);
    await hit(world.ours, `over ${playerId}`, playerId, 301);
    const board = await showHits(ctx, world.leader);
    expect(board?.hits).toMatchObject([
      {
        code: `open ${playerId}`,
        until: ago(-200),
        attackUrl: "https://www.torn.com/loader.php?sid=attack&user2ID=9",
      },
    ]);
    expect(board?.now).toEqual(clock.now());
    const simulated = { ...ctx, settings: { ...ctx.settings, demo: "alive" as const } };
    expect((await showHits(simulated, world.leader))?.hits, "no stranger's page").toMatchObject([
      { attackUrl: null },
    ]);
  });

  test("shows what the reader may know of an attacker: level, status, total stats and fair fight", async () => {
    const attacker = await mintPlayer(ctx, { level: 61, status: "Hospital" });
    const { playerId } = world.plain;
    await hit(world.ours, `known ${playerId}`, playerId, 10, attacker.id);
    const shown = async (reader = world.leader) => (await showHits(ctx, reader))?.hits[0]?.attacker;
    expect(await shown()).toEqual({
      ...{ level: 61, status: "Hospital", seenAt: clock.now(), total: null, fairFight: null },
    });
    await mintEntry(ctx, { playerId: attacker.id, score: 2_000, visibleTo: world.ours });
    await mintEntry(ctx, { playerId: attacker.id, score: 9_000, visibleTo: world.theirs });
    expect(await shown()).toMatchObject({
      total: { min: 1_000_000, max: 1_454_545 },
      fairFight: null,
    });
    await mintScore(ctx, world.leader.playerId, 4_000);
    expect(await shown()).toMatchObject({ fairFight: 2.33 });
    expect(await shown(world.plain)).toMatchObject({ fairFight: null });
  });

  test("of a hit by a player that is not known here only the hit is shown", async () => {
    const { playerId } = world.plain;
    await hit(world.ours, `unknown ${playerId}`, playerId, 10, 987_654_321);
    expect((await showHits(ctx, world.leader))?.hits).toMatchObject([{ attacker: null }]);
  });

  test("shows crimes that are held up now, longest first, with who and why", async () => {
    const { playerId } = world.plain;
    await holdUp(world.ours, playerId * 10, playerId, 60);
    await holdUp(world.ours, playerId * 10 + 1, playerId, 600);
    await holdUp(world.ours, playerId * 10 + 2, playerId, 600);
    await query
      .update(organizedCrimes)
      .set({ delayedSince: null })
      .where(eq(organizedCrimes.id, playerId * 10 + 2));
    expect(await showDelayedCrimes(ctx, world.leader)).toMatchObject([
      { crimeId: playerId * 10 + 1, name: "Break the Bank", since: ago(600) },
      {
        crimeId: playerId * 10,
        holdUps: [
          { playerId, position: "Robber", positionIndex: 2, reason: "In hospital for 50 mins" },
        ],
      },
    ]);
  });

  test("is of one's own faction alone, and follows a change of it at once", async () => {
    const stranger = await mintPlayer(ctx, { factionId: world.theirs });
    await hit(world.theirs, `theirs ${stranger.id}`, stranger.id, 5);
    await holdUp(world.theirs, stranger.id * 10, stranger.id, 60);
    expect(await showBoard(ctx, world.plain)).toMatchObject({ factionName: "Lanternwatch" });
    expect([
      await showHits(ctx, world.plain),
      await showDelayedCrimes(ctx, world.plain),
    ]).toMatchObject([{ hits: [] }, []]);
    await query
      .update(players)
      .set({ factionId: world.theirs })
      .where(eq(players.id, world.plain.playerId));
    expect([
      await showHits(ctx, world.plain),
      await showDelayedCrimes(ctx, world.plain),
    ]).toMatchObject([
      { hits: [{ code: `theirs ${stranger.id}` }] },
      [{ crimeId: stranger.id * 10 }],
    ]);
    await query
      .update(players)
      .set({ factionId: null })
      .where(eq(players.id, world.plain.playerId));
    const parts = [showBoard, showHits, showDelayedCrimes, showPendingVaultRequests].map((show) =>
      show(ctx, world.plain),
    );
    const members = showMembers(ctx, world.plain, {});
    expect(await Promise.all([...parts, members])).toEqual([null, null, null, null, null]);
  });

  test("says whose requests to the vault it shows", async () => {
    expect(await showPendingVaultRequests(ctx, world.leader)).toMatchObject({
      banker: true,
      waiting: [],
    });
    expect(await showPendingVaultRequests(ctx, world.plain)).toMatchObject({
      banker: false,
      waiting: [],
      pays: [],
    });
  });

  test("asks who may choose who sees what fights tell, until somebody chose", async () => {
    const asks = async (user: typeof world.plain) => (await showBoard(ctx, user))?.asksForSharing;
    expect([await asks(world.leader), await asks(world.plain)]).toEqual([true, false]);
    const origin = { requestId: "request-of-a-test", address: null };
    await changeStatSharing(ctx, sentFrom(world.leader, origin), { sharing: "faction" });
    expect(await asks(world.leader)).toBe(false);
  });

  test("says that nothing is read where no key may, and whether the reader's own could", async () => {
    expect((await showBoard(ctx, world.leader))?.reading).toMatchObject({
      unread: ["attacks", "crimes"],
      mayRead: true,
    });
    expect((await showBoard(ctx, world.plain))?.reading).toMatchObject({
      unread: ["attacks", "crimes"],
      mayRead: false,
    });
  });

  test("says that a first reading is to come once there is a key, and then when it was", async () => {
    const { key: gameKey } = demoPersonOf("developer");
    const info = await ctx.game.keyInfo(gameKey);
    await enrolPlayer(ctx, { gameKey, info, from: testSource });
    const reader = { ...world.plain, playerId: info.playerId };
    expect((await showBoard(ctx, reader))?.reading).toMatchObject({ unread: [], hitsAt: null });
    await query
      .update(factions)
      .set({ attacksAttempt: ago(10) })
      .where(eq(factions.id, info.factionId ?? 0));
    expect((await showBoard(ctx, reader))?.reading).toMatchObject({
      unread: [],
      hitsAt: ago(10),
    });
  });
});

describe("the members", () => {
  const named = async (filter: Parameters<typeof showMembers>[2]) =>
    (await showMembers(ctx, world.leader, filter))?.members.map(({ name }) => name);

  beforeEach(async () => {
    const factionId = (await mintFaction(ctx)).id;
    world.leader = await mintUser(ctx, {
      factionId,
      name: "Ada",
      status: "Okay",
      lastAction: ago(60),
    });
    await mintPlayer(ctx, {
      factionId,
      name: "Bea_50%",
      status: "Hospital",
      lastAction: ago(7_200),
    });
    await mintPlayer(ctx, {
      factionId,
      name: "Cy",
      status: "Traveling",
      lastAction: ago(9 * 86_400),
    });
    await mintPlayer(ctx, { factionId, name: "Dee" });
    await mintPlayer(ctx, {
      factionId: world.theirs,
      name: "Eve",
      status: "Okay",
      lastAction: ago(1),
    });
  });

  test.each([
    [{}, ["Ada", "Bea_50%", "Cy", "Dee"]],
    [{ state: "Hospital" }, ["Bea_50%"]],
    [{ state: "Nowhere" }, ["Ada", "Bea_50%", "Cy", "Dee"]],
    [{ active: "now" }, ["Ada"]],
    [{ active: "day" }, ["Ada", "Bea_50%"]],
    [{ active: "idle" }, ["Cy", "Dee"]],
    [{ name: "a" }, ["Ada", "Bea_50%"]],
    [{ name: "_50%" }, ["Bea_50%"]],
    [{ name: "%" }, ["Bea_50%"]],
    [{ name: "a", state: "Okay" }, ["Ada"]],
  ])("that fit %j are listed, those who acted last first", async (filter, expected) => {
    expect(await named(filter)).toEqual(expected);
  });

  test("are saved as a file, as filtered, and without a name that a spreadsheet would calculate", async () => {
    const { factionId } = await requireMembership(database, world.leader.playerId);
    await mintPlayer(ctx, { factionId, name: "=1+1", level: 7, lastAction: ago(1) });
    const lines = (await exportMembersCsv(ctx, world.leader, { active: "day" })).split("\r\n");
    expect(lines.map((line) => line.split(",").slice(1).join())).toEqual([
      "name,level,position,status,last_action",
      `"'=1+1",7,,,${ago(1).toISOString()}`,
      `Ada,10,,Okay,${ago(60).toISOString()}`,
      `Bea_50%,10,,Hospital,${ago(7_200).toISOString()}`,
    ]);
    const loner = await mintUser(ctx, { factionId: null });
    await expect(exportMembersCsv(ctx, loner, {})).rejects.toMatchObject({ kind: { code: 1102 } });
  });

  test("are counted whole, whatever the filter leaves", async () => {
    expect(await showMembers(ctx, world.leader, { name: "nobody" })).toEqual({
      members: [],
      of: 4,
      listedAt: null,
    });
  });
});
