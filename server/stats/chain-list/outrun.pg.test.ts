import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { routes } from "#server/routes";
import { testPostgresUrl } from "#server/testing/database";
import { dispatchWorld } from "#server/testing/dispatch-world";
import { mintScore } from "#server/testing/stat-facts";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";

test("a chain list that takes too long is ended by the statement time-out, and said to be so (DS-07)", async () => {
  const url = await testPostgresUrl();
  const database = openPostgres({ url, pools: { general: 2 }, deadline: 1_000 });
  const { ctx } = await testContext({ database });
  await mintPlayer(ctx, { id: 1 });
  await mintScore(ctx, 1, 1_000);
  const world = dispatchWorld(ctx, routes);
  world.know("mine", { playerId: 1 });
  const call = () => world.call("/api/v1/stat/chain-list", { method: "POST", token: "mine" });
  expect((await call()).status).toBe(200);

  // Locks the table, so that reads wait.
  const holder = openPostgres({ url, pools: { general: 1 } });
  const slow = await holder.transaction(async (tx) => {
    await tx.execute(sql`lock table stat_latest in access exclusive mode`);
    const answer = await call();
    // PostgreSQL itself has ended the statement: without its time-out it would still wait for the lock.
    const waiting = await tx.execute(
      sql`select pid from pg_locks where relation = 'stat_latest'::regclass and not granted`,
    );
    expect(waiting).toHaveLength(0);
    return answer;
  });
  expect(slow.status).toBe(503);
  expect(slow.json).toMatchObject({ code: 5003 });
  expect((await call()).status).toBe(200);
  expect(Object.values(database.pools()).map(({ deadlines }) => deadlines)).toEqual([0, 0, 0, 0]);
  await holder.close();
  await database.close();
});
