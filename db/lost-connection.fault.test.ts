import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { errorCodesOf, isConnectionLost } from "#server/platform/errors";
import { testPostgresUrl } from "#server/testing/database";
import { type Database, openPostgres, type Queryable } from "./client";

const url = await testPostgresUrl();
const poolSize = 2;

async function cutAll(): Promise<void> {
  const admin = openPostgres({ url, pools: { general: 1 } });
  const others = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
  await admin.query.execute(others);
  await admin.close();
}

/**
 * Waits until so many queries sleep: one that is cut before its start would run on the next
 * connection.
 */
async function asleep(queries: number): Promise<void> {
  const admin = openPostgres({ url, pools: { general: 1 } });
  const sleeping = sql`select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and wait_event = 'PgSleep'`;
  while ([...((await admin.query.execute(sleeping)) as unknown as unknown[])].length < queries);
  await admin.close();
}

const works = async (on: Queryable) => [
  ...((await on.execute(sql`select 1 as one`)) as unknown as unknown[]),
];

/** A query may still meet a connection that is being cut; recovery must be quick. */
async function recovers(database: Database): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const all = await Promise.allSettled([
      works(database.keyPool),
      ...Array.from({ length: poolSize * 4 }, () => database.transaction((tx) => works(tx))),
    ]);
    const failed = all.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    if (failed.length === 0) return;
    expect(failed.map(isConnectionLost)).not.toContain(false);
  }
  throw new Error("The pool did not recover.");
}

test("a transaction whose connection is cut fails; neither the process nor the pool is lost (RE-11)", async () => {
  const database = openPostgres({ url, pools: { general: poolSize } });
  for (let round = 0; round < 10; round++) {
    let begun = 0;
    const { promise: wasCut, resolve: cut } = Promise.withResolvers<void>();
    const transactions = Array.from({ length: poolSize }, () =>
      database.transaction(async (tx) => {
        await works(tx);
        if (++begun === poolSize) await cutAll().then(cut);
        await wasCut;
        // A caller that ignores the error is refused again, without harm.
        await works(tx).catch(() => {});
        await tx.execute(sql`select ${"x".repeat(5_000)}::text`).catch(() => {});
        await works(tx);
      }),
    );
    const ends = await Promise.allSettled(transactions);
    expect(ends.map((end) => end.status === "rejected" && isConnectionLost(end.reason))).toEqual(
      Array(poolSize).fill(true),
    );
    await recovers(database);
  }
  await database.close();
});

test("what is left of a transaction after its connection was cut never runs elsewhere", async () => {
  const database = openPostgres({ url, pools: { general: 1 } });
  await database.script("create table if not exists written (word text)");
  const cut = database.transaction(async (tx) => {
    await tx.execute(sql`insert into written values ('before')`);
    // A waiting caller makes the pool reconnect at once.
    const waiting = works(database.query);
    await cutAll();
    await waiting;
    await tx.execute(sql`insert into written values ('after')`);
  });
  expect(
    isConnectionLost(
      await cut.then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  ).toBe(true);
  expect([
    ...((await database.query.execute(sql`select * from written`)) as unknown as unknown[]),
  ]).toEqual([]);
  await database.close();
});

test("queries that are under way when their connection is cut fail; the next ones work (RE-10)", async () => {
  const database = openPostgres({ url, pools: { general: poolSize } });
  await works(database.keyPool);
  const underWay = [database.query, database.query, database.keyPool].map((on) =>
    on.execute(sql`select pg_sleep(30)`).then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
  await asleep(underWay.length);
  await cutAll();
  expect((await Promise.all(underWay)).map(isConnectionLost)).toEqual([true, true, true]);
  await recovers(database);
  await database.close();
});

test("work under the advisory lock that loses its connection gives the connection back", async () => {
  const database = openPostgres({ url, pools: { general: poolSize } });
  for (let round = 0; round < poolSize + 1; round++) {
    await expect(
      database.exclusively(4_711, async () => {
        await cutAll();
        throw new Error("the work failed");
      }),
    ).rejects.toThrow("the work failed");
  }
  await recovers(database);
  await database.close();
});

test.each(["query", "keyPool"] as const)(
  "what is under way on %s when its connection is cut fails alone: the next is served",
  async (pool) => {
    const database = openPostgres({ url, pools: { general: 1 } });
    const on = database[pool];
    for (let round = 0; round < 20; round++) {
      // The second is sent at the moment when the first fails.
      const both = on
        .execute(sql`select pg_sleep(30)`)
        .catch(async (error: unknown) => [error, await works(on).catch(errorCodesOf)]);
      await asleep(1);
      await cutAll();
      const [error, next] = [...((await both) as unknown as [unknown, unknown])];
      expect(isConnectionLost(error)).toBe(true);
      expect(next).toEqual([{ one: 1 }]);
    }
    await database.close();
  },
);

test("parts of a process that listen at once, before the first connection stands, are all heard", async () => {
  const listening = openPostgres({ url: await testPostgresUrl(), pools: { general: 1 } });
  onTestFinished(() => listening.close());
  const heard: string[] = [];
  const channels = ["one", "two", "three", "four", "five"];
  await Promise.all(
    channels.map((channel) =>
      listening.listen(
        channel,
        () => heard.push(channel),
        () => {},
      ),
    ),
  );
  for (const channel of channels) await listening.notify(listening.query, channel, "");
  await expect.poll(() => heard).toEqual(channels);
});
