import { expect, test } from "vitest";
import { statEntries } from "#db/schema/stats";
import { testDatabase } from "#server/testing/database";
import { portalOf } from "#server/testing/portal-script";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintPlayer, mintUser } from "#server/testing/world";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const portal = (user: Awaited<ReturnType<typeof mintUser>> | null) => portalOf(ctx, user).players;

const ours = (await mintFaction(ctx, { name: "Lanternwatch" })).id;
const theirs = (await mintFaction(ctx)).id;
const reader = await mintUser(ctx, { factionId: ours });
const loner = await mintUser(ctx, { factionId: null });
const target = await mintPlayer(ctx, { name: "Zed_Target", factionId: theirs });

const ago = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);
const entry = (
  visibleTo: number,
  days: number,
  fields: Partial<typeof statEntries.$inferInsert> = {},
) => ({
  ...{ visibleTo, playerId: target.id, score: 1_000 + days, timeAdded: ago(days), sigma: 0.01 },
  ...{ source: "fight" as const, attackCode: `${visibleTo} ${days}`, ...fields },
});
await database.query
  .insert(statEntries)
  .values([
    entry(0, 5),
    entry(ours, 3),
    entry(theirs, 2),
    entry(0, 1, { lowerBound: true }),
    entry(ours, 9, { source: "import", attackCode: null }),
  ]);

test("a player is found by id, by the game's way to write a player, and by how the name begins in any case", async () => {
  const { find } = portal(reader);
  for (const typed of [String(target.id), `Zed_Target [${target.id}]`, " 7 "])
    expect(await find({ typed })).toEqual({ playerId: typed === " 7 " ? 7 : target.id });
  expect(await find({ typed: "zED" })).toMatchObject({
    players: [{ playerId: target.id, name: "Zed_Target" }],
    more: false,
  });
  for (const typed of ["", "%", "_", "99999999999", "Zed_Target [0]", "0"])
    expect(await find({ typed })).toEqual({ players: [], more: false });
});

test("of very many names some are listed, and that there are more is said", async () => {
  for (let index = 0; index < 30; index++) await mintPlayer(ctx, { name: `Many${index}` });
  const { players, more } = await portal(reader).find({ typed: "many" });
  expect([players?.length, more]).toEqual([25, true]);
});

test("scores are those that the reader may see by the API: public ones and their own faction's, and no bound", async () => {
  const seen = async (user: typeof reader) =>
    (await portal(user).show({ playerId: target.id })).scores.map(({ score, shared, source }) => [
      score,
      shared,
      source,
    ]);
  expect(await seen(reader)).toEqual([
    [1_003, false, "fight"],
    [1_005, true, "fight"],
    [1_009, false, "import"],
  ]);
  expect(await seen(loner)).toEqual([[1_005, true, "fight"]]);
});

test("a player without an estimate is shown all the same, and an unknown one is not found", async () => {
  expect(await portal(reader).show({ playerId: target.id })).toMatchObject({
    player: { name: "Zed_Target" },
    estimate: null,
  });
  await expect(portal(reader).show({ playerId: 2_147_483_647 })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(portal(reader).show({ playerId: 2 ** 31 })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await expect(portal(null).show({ playerId: target.id })).rejects.toMatchObject({
    code: "UNAUTHORIZED",
  });
});
