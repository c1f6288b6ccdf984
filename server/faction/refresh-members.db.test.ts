import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { factions, players } from "#db/schema/players";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";
import { demoPerson } from "#simulator/demo-people";
import { refreshFactionMembers } from "./refresh-members";
import { findFaction, listMembers } from "./store";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const { openKey: key } = await enrol(ctx, "developer");
const lanternwatch = 7001;

const list = () => refreshFactionMembers(ctx, lanternwatch, { key, priority: "high" });
const row = async (id: number) => {
  const [found] = await database.query.select().from(players).where(eq(players.id, id));
  return found;
};
const later = () => {
  simulator.control.clearCache();
  clock.advance(300);
};

test("until its members are listed once, a faction has those who are known one by one", async () => {
  expect(await listMembers(database, lanternwatch)).toMatchObject([{ playerId: 1001 }]);
  const count = await list();
  const members = await listMembers(database, lanternwatch);
  expect(members).toHaveLength(count);
  const ids = members?.map(({ playerId }) => playerId) ?? [];
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  expect(ids).toContain(demoPerson("banker").playerId);
});

test("a listing keeps what a profile said besides", async () => {
  const { playerId } = await enrol(ctx, "banker");
  const before = await row(playerId);
  later();
  await list();
  expect(await row(playerId)).toMatchObject({
    chatId: before?.chatId,
    lastRefresh: before?.lastRefresh,
  });
});

test("a name or level that the game leaves open keeps the known one, and costs nobody their place", async () => {
  const { playerId } = demoPerson("banker");
  const before = await row(playerId);
  later();
  const open = {
    ...ctx,
    game: {
      ...ctx.game,
      factionMembers: async (text: string, id?: number) =>
        (await ctx.game.factionMembers(text, id)).map((member) => ({
          ...member,
          name: "",
          level: null,
        })),
      factionBasic: async (text: string, id?: number) => ({
        ...(await ctx.game.factionBasic(text, id)),
        name: "",
      }),
    },
  };
  await refreshFactionMembers(open, lanternwatch, { key, priority: "high" });
  const { name, level, positionName, factionId } = before ?? {};
  expect(name).not.toBe("");
  expect(await row(playerId)).toMatchObject({ name, level, positionName, factionId });
  expect((await findFaction(database.query, lanternwatch))?.name).not.toBe("");
});

test("who left the faction loses position and faction access with the next listing", async () => {
  const { playerId } = demoPerson("developer");
  expect(await row(playerId)).toMatchObject({ factionId: lanternwatch, factionApiAccess: true });
  simulator.control.setPlayer({ playerId, factionId: null });
  later();
  const { openKey: another } = await enrol(ctx, "banker");
  clock.advance(1);
  await refreshFactionMembers(ctx, lanternwatch, { key: another, priority: "high" });
  expect(await row(playerId)).toMatchObject({
    factionId: null,
    positionName: null,
    factionApiAccess: false,
  });
  expect(
    (await listMembers(database, lanternwatch))?.map((member) => member.playerId),
  ).not.toContain(playerId);
});

test("a player who comes from another faction brings no right along", async () => {
  const { id } = await mintPlayer(ctx, {
    id: 1004,
    factionId: 7002,
    positionName: "Leader",
    factionApiAccess: true,
  });
  simulator.control.setPlayer({ playerId: id, factionId: lanternwatch, position: "Member" });
  later();
  await list();
  expect(await row(id)).toMatchObject({
    factionId: lanternwatch,
    positionName: "Member",
    factionApiAccess: false,
  });
});

test("who was seen elsewhere after the listing began stays there", async () => {
  const { playerId } = demoPerson("member");
  later();
  await list();
  const seenLater = new Date(clock.now().getTime() + 60_000);
  await database.query
    .update(players)
    .set({ factionId: 7002, factionSeen: seenLater })
    .where(eq(players.id, playerId));
  clock.advance(30);
  simulator.control.clearCache();
  await list();
  expect((await row(playerId))?.factionId).toBe(7002);
});

test("an empty listing of a faction with members empties nothing", async () => {
  later();
  const before = await listMembers(database, lanternwatch);
  const game = { ...ctx.game, factionMembers: async () => [] };
  const asking = refreshFactionMembers({ ...ctx, game }, lanternwatch, { key, priority: "high" });
  await expect(asking).rejects.toMatchObject({ kind: "unexpected-answer" });
  expect(await listMembers(database, lanternwatch)).toEqual(before);
});

test("a faction that the game refuses keeps its data, and does not stand first in the queue again", async () => {
  later();
  simulator.control.addFault({ path: "faction", malformed: true });
  await expect(list()).rejects.toMatchObject({ kind: "unexpected-answer" });
  const [faction] = await database.query
    .select()
    .from(factions)
    .where(eq(factions.id, lanternwatch));
  expect(faction?.lastAttempt).toEqual(clock.now());
  expect(faction?.membersRefreshed?.getTime()).toBeLessThan(clock.now().getTime());
});
