import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { statEntries } from "#db/schema/stats";
import { insertEntries, readOwnScores } from "#server/stats/entries/store";
import { testPostgresUrl } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { deleteAccount } from "./account-acts";

const database = openPostgres({ url: await testPostgresUrl() });
afterAll(() => database.close());
const { ctx, clock } = await testContext({ database });

test("PT-22: fights that are told while the account is deleted do not keep the name of who told them", async () => {
  for (let round = 0; round < 5; round++) {
    clock.advance(60);
    const user = await enrol(ctx, "member");
    const { playerId, name } = user;
    const told = {
      visibleTo: 0,
      playerId: 4_000_000 + round,
      score: 5,
      timeAdded: ctx.now(),
      sigma: 0,
      fairFight: null,
    };
    let deletion: Promise<void> | undefined;
    await database.transaction(async (tx) => {
      expect((await readOwnScores(tx, [playerId])).size).toBe(1);
      deletion = deleteAccount(ctx, user, { confirmName: name });
      // The deletion runs until it waits for a lock.
      await Promise.race([deletion, database.query.$count(statEntries), enrol(ctx, "banker")]);
      const entry = {
        ...told,
        lowerBound: false,
        source: "fight" as const,
        attackCode: null,
        contributorId: playerId,
      };
      await insertEntries(tx, [entry]);
    });
    await deletion;
    expect(await database.query.$count(statEntries, eq(statEntries.contributorId, playerId))).toBe(
      0,
    );
  }
}, 30_000);
