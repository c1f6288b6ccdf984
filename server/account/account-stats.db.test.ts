import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { players } from "#db/schema/players";
import { battleStats, personalStats, statEntries, statEstimates } from "#db/schema/stats";
import type { Context } from "#server/context";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { refreshPlayer } from "#server/users/refresh-player";
import { deleteAccount, exportAccount } from "./account-acts";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const on = ctx.database.query;

type Person = Awaited<ReturnType<typeof enrol>>;
const remove = (person: Person, context = ctx) =>
  deleteAccount(context, person, { confirmName: person.name });

const entry = (playerId: number, visibleTo: number, told: { by?: number; score?: number }) =>
  on.insert(statEntries).values({
    ...{
      playerId,
      visibleTo,
      score: told.score ?? 500,
      timeAdded: ctx.now(),
      sigma: 0,
      source: "fight" as const,
    },
    contributorId: told.by ?? null,
  });

beforeEach(async () => {
  await on.delete(statEntries);
  clock.advance(3_600);
});

test("the export tells what is stored of the player's strength, and not what one faction keeps of it", async () => {
  const member = await enrol(ctx, "member");
  await entry(member.playerId, 0, { score: 111 });
  await entry(member.playerId, 7002, { score: 2222.875 });
  await entry(4_000_001, 0, { by: member.playerId });
  await on.insert(statEstimates).values({
    ...{ playerId: member.playerId, score: 333 },
    ...{ at: ctx.now(), statsAt: ctx.now() },
  });
  const { json } = await exportAccount(ctx, member);
  expect(JSON.parse(json)).toMatchObject({
    account: { lendsKey: false, sharesOpponentStats: false },
    stats: {
      battleStats: { strength: expect.any(Number), score: expect.any(Number) },
      personalStats: [{ counters: { xanax: expect.any(Number) } }],
      estimate: { score: 333 },
      seenByEverybody: [{ score: 111 }],
      scoresToldByYourFights: 1,
    },
  });
  expect(json).not.toContain("2222.875");
});

test("PT-22: battle stats go with the account; what they told of others stays, and nothing says who told it", async () => {
  const [member, banker] = [await enrol(ctx, "member"), await enrol(ctx, "banker")];
  await entry(4_000_001, 0, { by: member.playerId });
  await entry(4_000_002, 0, { by: banker.playerId });
  await remove(member);
  const left = await on.select().from(battleStats);
  expect(left.map(({ playerId }) => playerId)).toEqual([banker.playerId]);
  const told = await on.select().from(statEntries).orderBy(statEntries.playerId);
  expect(told.map(({ contributorId }) => contributorId)).toEqual([null, banker.playerId]);
  // The game shows the counters to everyone.
  expect(
    await on.select().from(personalStats).where(eq(personalStats.playerId, member.playerId)),
  ).not.toEqual([]);
});

test("PT-22: what the game says while the account is deleted is not kept: no battle stats, no right of the key", async () => {
  const member = await enrol(ctx, "member");
  const deletedMeanwhile: Context = {
    ...ctx,
    game: {
      ...ctx.game,
      ownPlayer: async (...asked) => {
        const answer = await ctx.game.ownPlayer(...asked);
        await remove(member);
        return answer;
      },
    },
  };
  const { playerId, openKey } = member;
  await refreshPlayer(deletedMeanwhile, { playerId, key: openKey, priority: "background" });
  expect(await on.select().from(accounts).where(eq(accounts.playerId, playerId))).toEqual([]);
  expect(await on.select().from(battleStats).where(eq(battleStats.playerId, playerId))).toEqual([]);
  const [player] = await on.select().from(players).where(eq(players.id, playerId));
  expect(player?.factionApiAccess).toBe(false);
});
