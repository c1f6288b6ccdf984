import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { factions, players } from "#db/schema/players";
import { saveAttacks } from "#server/faction/attacks/read-attacks";
import { saveListedFaction } from "#server/faction/store";
import { testDatabase } from "#server/testing/database";
import { fight, fighter } from "#server/testing/fights";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintPlayer } from "#server/testing/world";
import { applyMemberListing } from "./membership";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const one = Array.from({ length: 40 }, (_, index) => 20_000 + 2 * index);
const other = one.map((id) => id + 1);
const about = (factionId: number) => ({
  factionId,
  name: "",
  tag: "",
  leaderId: null,
  coLeaderId: null,
});
for (const id of [8101, 8102]) await mintFaction(ctx, { id });
for (const id of [...one, ...other]) await mintPlayer(ctx, { id, factionId: 8101 });

const list = (factionId: number, ids: readonly number[]) => {
  const at = clock.now();
  const members = ids.map((playerId) => ({
    ...{ playerId, name: `Player${playerId}`, level: 5, position: "Member", status: "Okay" },
    ...{ federalUntil: null, lastAction: null },
  }));
  return database.transaction(async (tx) => {
    await saveListedFaction(tx, about(factionId), at);
    await applyMemberListing(ctx, tx, { factionId, members, at, watched: true });
  });
};

test("two factions that exchange all their members at once are both listed, and everybody is where the listings say", async () => {
  for (let round = 0; round < 10; round++) {
    clock.advance(1);
    const [here, there] = round % 2 === 0 ? [one, other] : [other, one];
    await Promise.all([list(8101, here), list(8102, there.toReversed())]);
    for (const [factionId, ids] of [
      [8101, here],
      [8102, there],
    ] as const)
      expect(await database.query.$count(players, eq(players.factionId, factionId))).toBe(
        ids.length,
      );
  }
});

test("a listing and the attacks of the same faction do not wait in a circle", async () => {
  for (let round = 0; round < 10; round++) {
    clock.advance(1);
    const attacks = one.map((id, index) =>
      fight({
        attacker: fighter(other[index] ?? 0, 8102),
        defender: fighter(id, 8101),
        ended: clock.now(),
      }),
    );
    await Promise.all([
      list(8101, one),
      saveAttacks(ctx, { factionId: 8101, attacks, mark: clock.now() }),
      saveAttacks(ctx, { factionId: 8101, attacks: attacks.toReversed(), mark: null }),
    ]);
  }
  const [faction] = await database.query.select().from(factions).where(eq(factions.id, 8101));
  expect(faction?.attacksSeen).toEqual(clock.now());
});
