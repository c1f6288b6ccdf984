import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { factions, players } from "#db/schema/players";
import { createGameClient } from "#server/game/client";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";
import { demoPersonOf } from "#simulator/demo-people";
import { refreshFactionMembers } from "./refresh-members";
import { listMembers } from "./store";

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
  expect(ids).toContain(demoPersonOf("banker").playerId);
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
  const { playerId } = demoPersonOf("banker");
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
  const [faction] = await database.query
    .select()
    .from(factions)
    .where(eq(factions.id, lanternwatch));
  expect(faction?.name).not.toBe("");
});

test("who left the faction loses position and faction access with the next listing", async () => {
  const { playerId } = demoPersonOf("developer");
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
  const { playerId } = demoPersonOf("member");
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

/** The members as `change` makes them, and as the game counts them. */
function withMembers(change: (rows: Row[]) => unknown[], counted?: (members: number) => unknown) {
  const fetch = async (request: Request) => {
    const answer = await (await simulator.fetch(request)).json();
    if (answer.members) answer.members = change(answer.members);
    if (answer.basic && counted) answer.basic.members = counted(answer.basic.members);
    return Response.json(answer);
  };
  const game = createGameClient({ baseUrl: simulator.baseUrl, fetch, now: clock.now });
  return refreshFactionMembers({ ...ctx, game }, lanternwatch, { key, priority: "high" });
}
type Row = Record<string, unknown>;
const memberIds = async () =>
  (await listMembers(database, lanternwatch))?.map(({ playerId }) => playerId);

test.each([
  ["one row", (rows: Row[]) => rows.slice(0, 1)],
  ["three rows too few", (rows: Row[]) => rows.slice(3)],
  ["one row many times", (rows: Row[]) => rows.map(() => rows[0])],
  ["three rows too many", (rows: Row[]) => [...rows, ...[1, 2, 3].map((n) => ({ id: 9e5 + n }))]],
])(
  "a list of %s that the game's own count contradicts takes nobody's faction",
  async (_, change) => {
    later();
    await list();
    const before = await memberIds();
    expect(before?.length).toBeGreaterThan(6);
    later();
    await expect(withMembers(change as (rows: Row[]) => unknown[])).rejects.toMatchObject({
      kind: "unexpected-answer",
    });
    expect(await memberIds()).toEqual(before);
  },
);

test("a list that is two rows shorter than the count tells of two who left", async () => {
  later();
  await list();
  const before = (await memberIds()) ?? [];
  later();
  await withMembers((rows) => rows.filter(({ id }) => !before.slice(-2).includes(id as number)));
  expect(await memberIds()).toEqual(before.slice(0, -2));
});

test("a member whose row cannot be read stays, and others who left still leave", async () => {
  later();
  await list();
  const [odd, gone, ...others] = (await memberIds())?.slice(-4) ?? [];
  later();
  await withMembers((rows) =>
    rows.filter(({ id }) => id !== gone).map((row) => (row.id === odd ? { id: odd } : row)),
  );
  const ids = await memberIds();
  expect(ids).toEqual(expect.arrayContaining([odd, ...others]));
  expect(ids).not.toContain(gone);
});

test("a row without an id, or a faction without a count, makes a list that ends no membership", async () => {
  later();
  await list();
  const before = await memberIds();
  const last = before?.at(-1);
  later();
  await withMembers((rows) => [...rows.filter(({ id }) => id !== last), null]);
  expect(await memberIds()).toEqual(before);
  later();
  await withMembers(
    (rows) => rows.filter(({ id }) => id !== last),
    () => undefined,
  );
  expect(await memberIds()).toEqual(before);
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
