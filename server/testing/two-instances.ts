import { afterAll } from "vitest";
import { openPostgres } from "#db/client";
import { patientDeadline, testPostgresUrl } from "./database";
import { type TestContextOptions, testContext } from "./test-context";

/**
 * They share a PostgreSQL database, clock and game; each has a token cache. Closed after the file's
 * last test. For `*.pg.test.ts` files.
 */
export async function twoInstances(
  settings: TestContextOptions["settings"] = {},
  parts: Pick<TestContextOptions, "limiter"> = {},
) {
  const url = await testPostgresUrl();
  const open = () => {
    const database = openPostgres({ url, deadline: patientDeadline });
    afterAll(() => database.close());
    return database;
  };
  const remembering = { ...settings, tokenCache: true };
  const here = await testContext({ database: open(), settings: remembering, ...parts });
  const there = await testContext({
    database: open(),
    settings: remembering,
    beside: here,
    ...parts,
  });
  return { here, there };
}
