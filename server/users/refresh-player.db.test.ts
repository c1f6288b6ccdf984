import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { factions, players } from "#db/schema/players";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";
import { demoPersonOf } from "#simulator/demo-people";
import { refreshPlayer } from "./refresh-player";
import { findPlayer } from "./store";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });

const row = async (id: number) => {
  const [found] = await database.query.select().from(players).where(eq(players.id, id));
  if (!found) throw new Error(`Player ${id} is not stored.`);
  return found;
};

test("a chat id above 2^53 is stored digit for digit", async () => {
  const { playerId, openKey } = await enrol(ctx, "member");
  const chatId = 1_234_567_890_123_456_789n;
  simulator.control.setPlayer({ playerId, chatId });
  simulator.control.clearCache();
  await refreshPlayer(ctx, { playerId, key: openKey, priority: "user" });
  expect((await findPlayer(database, playerId))?.chatId).toBe(chatId);
});

test("profile, faction, position and access are stored together, with the faction's name", async () => {
  const { playerId } = await enrol(ctx, "developer");
  const stored = await row(playerId);
  expect(stored).toMatchObject({
    name: "Ada_Quill",
    factionId: 7001,
    positionName: "Officer",
    factionApiAccess: true,
    lastRefresh: clock.now(),
    lastAttempt: clock.now(),
  });
  expect(stored.level).toBeGreaterThan(0);
  const [faction] = await database.query.select().from(factions).where(eq(factions.id, 7001));
  expect(faction).toMatchObject({ name: "Lanternwatch", membersRefreshed: null });
});

test("a chat id belongs to one player: on a clash the older row loses it", async () => {
  const { playerId, openKey } = await enrol(ctx, "banker");
  const chatId = 9_007_199_254_740_993n;
  const older = await mintPlayer(ctx, { chatId });
  simulator.control.setPlayer({ playerId, chatId });
  simulator.control.clearCache();
  clock.advance(60);
  await refreshPlayer(ctx, { playerId, key: openKey, priority: "user" });
  expect((await row(playerId)).chatId).toBe(chatId);
  expect((await row(older.id)).chatId).toBeNull();
});

test("a change of faction ends position and faction access at once", async () => {
  const { playerId, openKey } = await enrol(ctx, "developer");
  expect(await row(playerId)).toMatchObject({ factionId: 7001, factionApiAccess: true });
  simulator.control.setPlayer({ playerId, factionId: 7002, position: "Member" });
  simulator.control.clearCache();
  clock.advance(60);
  // Another player's key reads the move, without the access of the new position.
  const { openKey: another } = await enrol(ctx, "outsider");
  await refreshPlayer(ctx, { playerId, key: another, priority: "user" });
  expect(await row(playerId)).toMatchObject({
    factionId: 7002,
    positionName: "Member",
    factionApiAccess: false,
  });

  simulator.control.setPlayer({ playerId, factionId: null });
  simulator.control.clearCache();
  clock.advance(60);
  await refreshPlayer(ctx, { playerId, key: openKey, priority: "user" });
  expect(await row(playerId)).toMatchObject({
    factionId: null,
    positionName: null,
    factionApiAccess: false,
  });
});

test("an older sighting never overwrites a newer one", async () => {
  const { playerId, openKey } = await enrol(ctx, "loner");
  const newer = clock.now();
  await database.query
    .update(players)
    .set({ factionSeen: new Date(newer.getTime() + 5_000), factionId: 7002 })
    .where(eq(players.id, playerId));
  await refreshPlayer(ctx, { playerId, key: openKey, priority: "user" });
  expect((await row(playerId)).factionId).toBe(7002);
});

test("a failed refresh leaves what was stored, and counts as an attempt (RE-52)", async () => {
  const { openKey } = await enrol(ctx, "outsider");
  const { playerId } = demoPersonOf("banker");
  const before = await row(playerId);
  clock.advance(60);
  simulator.control.clearCache();
  simulator.control.addFault({
    player: demoPersonOf("outsider").playerId,
    malformed: true,
    times: 1,
  });
  await expect(
    refreshPlayer(ctx, { playerId, key: openKey, priority: "user" }),
  ).rejects.toMatchObject({
    kind: "unexpected-answer",
  });
  expect(await row(playerId)).toEqual({ ...before, lastAttempt: clock.now() });
});
