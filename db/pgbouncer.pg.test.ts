import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { testPostgresUrl } from "#server/testing/database";
import { startPgBouncer } from "#server/testing/pgbouncer";
import { type Database, openPostgres } from "./client";

const direct = await testPostgresUrl();
const pooler = await startPgBouncer(direct);
if (!pooler) process.stdout.write("note: no /usr/sbin/pgbouncer: what its connections lose is not tried\n");
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
      await Promise.all([...asked, tokenPool.transaction((tx) => tx.execute(sql`select ${n}::int`))]);
    }
    const { key, token, general } = database.pools();
    expect([key?.deadlines, token?.deadlines, general?.deadlines]).toEqual([0, 0, 0]);
  },
);
