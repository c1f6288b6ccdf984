import { eq, inArray, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { gameKeys } from "#db/schema/accounts";
import { players } from "#db/schema/players";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { testSource } from "#server/testing/world";
import { demoPersonOf } from "#simulator/demo-people";
import { enrolPlayer } from "./enrol-player";
import { applyMemberListing } from "./membership/membership";
import type { PlayerSighting } from "./player";
import { savePlayer } from "./store";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });

const many = Array.from({ length: 30 }, (_, index) => 10_000 + index);
const sighting = (playerId: number, chatId: bigint | null): PlayerSighting => ({
  playerId,
  name: `Player${playerId}`,
  level: 5,
  chatId,
  status: "Okay",
  federalUntil: null,
  lastAction: null,
  factionId: 7001,
  positionName: "Member",
  factionApiAccess: undefined,
  at: clock.now(),
});
const save = (seen: PlayerSighting) => database.transaction((tx) => savePlayer(tx, seen));

test("of thirty players seen with one chat id at once exactly one has it, and none is lost", async () => {
  const chatId = 1_111_111_111_111_111_111n;
  await Promise.all(many.map((id) => save(sighting(id, chatId))));
  expect(await database.query.$count(players, eq(players.chatId, chatId))).toBe(1);
  expect(await database.query.$count(players, inArray(players.id, many))).toBe(many.length);
});

test("listings and profiles that cross each other do not wait in a circle", async () => {
  const members = many.map((playerId) => {
    const { name, level, status, federalUntil, lastAction } = sighting(playerId, null);
    return { playerId, name, level, status, federalUntil, lastAction, position: "Member" };
  });
  const listing = (reversed: boolean) => ({
    factionId: 7001,
    members: reversed ? members.toReversed() : members,
    at: clock.now(),
    watched: true,
  });
  for (let round = 0; round < 5; round++) {
    const shift = many.map((id, index) =>
      save(sighting(id, 500n + BigInt((index + round) % many.length))),
    );
    const listed = [false, true, false, true].map((reversed) =>
      database.transaction((tx) => applyMemberListing(ctx, tx, listing(reversed))),
    );
    await Promise.all([...shift, ...listed]);
  }
  const rows = await database.query
    .select({ chats: sql<string>`count(distinct chat_id)` })
    .from(players);
  expect(Number(rows[0]?.chats)).toBeGreaterThan(0);
});

test("one key that signs in twenty times at once is one account and one row", async () => {
  const { key, playerId } = demoPersonOf("loner");
  const info = await ctx.game.keyInfo(key);
  // The budget of the player is not what this is about.
  const generous = { ...ctx, limiter: { ...ctx.limiter, take: ctx.limiter.peek } };
  const enrolled = await Promise.all(
    many.slice(0, 20).map(() => enrolPlayer(generous, { gameKey: key, info, from: testSource })),
  );
  expect(new Set(enrolled.map(({ accountId }) => accountId)).size).toBe(1);
  expect(new Set(enrolled.map(({ key }) => key?.id)).size).toBe(1);
  expect(await database.query.$count(gameKeys, eq(gameKeys.playerId, playerId))).toBe(1);
});
