import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { testPostgresUrl } from "#server/testing/database";
import { livedTime } from "#server/testing/lived-time";
import { startPgBouncer } from "#server/testing/pgbouncer";
import { startPostgres } from "#server/testing/postgres";
import { type Database, openPostgres } from "./client";

const direct = await testPostgresUrl();
const pooler = await startPgBouncer(direct);
if (!pooler)
  process.stdout.write("note: no /usr/sbin/pgbouncer: what its connections lose is not tried\n");
const open: Database[] = [];
afterAll(async () => {
  for (const database of open) await database.close();
  await pooler?.stop();
});

test.skipIf(!pooler)(
  "behind PgBouncer statements that are sent at once, with and without parameters, are all answered",
  { timeout: 120_000 },
  async () => {
    const database = openPostgres({ url: pooler?.url ?? "", directUrl: direct, deadline: 5_000 });
    open.push(database);
    for (let n = 0; n < 400; n++) {
      const { keyPool, tokenPool } = database;
      const asked = [keyPool, tokenPool.query].flatMap((on) => [
        on.execute(sql`select 1`),
        on.execute(sql`select ${n}::int`),
      ]);
      await Promise.all([
        ...asked,
        tokenPool.transaction((tx) => tx.execute(sql`select ${n}::int`)),
      ]);
    }
    const { key, token, general } = database.pools();
    expect([key?.deadlines, token?.deadlines, general?.deadlines]).toEqual([0, 0, 0]);
  },
);

test.skipIf(!pooler)(
  "a call whose PgBouncer has lost its server ends after a deadline and a half, though it is let in again and again",
  { timeout: 60_000 },
  async () => {
    const server = await startPostgres();
    const before = await startPgBouncer(server.url("postgres"));
    const database = openPostgres({
      url: before?.url ?? "",
      directUrl: server.url("postgres"),
      deadline: 1_000,
    });
    const ask = () => Promise.resolve(database.keyPool.execute(sql`select ${1}::int`));
    await ask();
    await server.crash();
    const took: number[] = [];
    const until = performance.now() + 8_000;
    const caller = async () => {
      while (performance.now() < until) {
        const began = livedTime();
        await Promise.race([ask().catch(() => {}), wait(8_000)]);
        took.push(began());
        await wait(20);
      }
    };
    await Promise.all([caller(), caller(), caller()]);
    expect(Math.max(...took)).toBeLessThan(3_500);
    await before?.stop();
    await database.close();
    await server.stop();
  },
);
