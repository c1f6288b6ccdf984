import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { isConnectionLost } from "#server/platform/connection-lost";
import { testPostgresUrl } from "#server/testing/database";
import { openPostgres } from "./client";

test("a query that takes too long is ended, and told as an outage that passes (DS-07)", async () => {
  const database = openPostgres({ url: await testPostgresUrl(), poolSize: 1, deadline: 1_000 });
  const thrown = await database.query.execute(sql`select pg_sleep(30)`).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(isConnectionLost(thrown)).toBe(true);
  // The connection is free again.
  expect(await database.query.execute(sql`select 1 as one`)).toMatchObject([{ one: 1 }]);
  await database.close();
});
