import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { errorCodesOf, isConnectionLost } from "#server/platform/errors";
import { testPostgresUrl } from "#server/testing/database";
import { holdLocks } from "#server/testing/held-locks";
import { openPostgres } from "./client";

test("a query that takes too long is ended, and told as an outage that passes (DS-07)", async () => {
  const database = openPostgres({
    url: await testPostgresUrl(),
    pools: { general: 1 },
    deadline: 1_000,
  });
  const backend = async () => {
    const [row] = (await database.query.execute(
      sql`select pg_backend_pid() as pid`,
    )) as unknown as { pid: number }[];
    return row?.pid;
  };
  const before = await backend();
  const thrown = await database.query.execute(sql`select pg_sleep(30)`).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(isConnectionLost(thrown)).toBe(true);
  // PostgreSQL ended the statement: the connection survives, and no work continues for a caller
  // that is gone.
  expect(errorCodesOf(thrown)).toContain("57014");
  expect(await backend()).toBe(before);
  expect(database.pools().general?.deadlines).toBe(0);
  await database.close();
});

test("a process that stood still for longer than anybody may wait for a connection refuses nobody because of it", async () => {
  const deadline = 1_600;
  const database = openPostgres({ url: await testPostgresUrl(), pools: { general: 1 }, deadline });
  const ask = (one: number) =>
    database.query.execute(sql`select ${one}::int as one, pg_sleep(0.05)`);
  // Connected and prepared: the next statement is sent whole at once.
  await ask(0);
  const answers = Promise.all([1, 2, 3].map(ask));
  // On another pool: its answer proves that the first is under way and the others wait.
  await database.keyPool.execute(sql`select 1`);
  // Blocks the event loop, as loading a page does: nothing is read and every timer is late.
  for (const until = performance.now() + deadline; performance.now() < until; );
  const rows = (await answers) as unknown as { one: number }[][];
  expect(rows.map(([row]) => row?.one)).toEqual([1, 2, 3]);
  await database.close();
});

test("rows that came before a statement failed are in no other statement's answer", async () => {
  const database = openPostgres({ url: await testPostgresUrl(), pools: { general: 1 } });
  const failing = sql`select 1 / (3 - n) as one from generate_series(1, 3) as n`;
  await expect(Promise.resolve(database.query.execute(failing))).rejects.toThrow();
  const rows = (await database.query.execute(sql`select 7 as one`)) as unknown as unknown[];
  expect([...rows]).toEqual([{ one: 7 }]);
  await database.close();
});

test("a process that freezes in a job's transaction holds its locks for no longer than a call may take", async () => {
  const url = await testPostgresUrl();
  const frozen = openPostgres({ url, deadline: 1_000, jobDeadline: 60_000 });
  const database = openPostgres({ url, deadline: 20_000 });
  const lock = sql`select pg_advisory_xact_lock(4711)`;
  const release = await holdLocks(frozen.background, lock);
  await database.query.execute(lock);
  await expect(release()).rejects.toThrow();
  await Promise.all([frozen.close(), database.close()]);
});
