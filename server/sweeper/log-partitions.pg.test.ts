import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "#db/client";
import { createPartition } from "#db/partitions";
import { auditLog, requestLog } from "#db/schema/operations";
import { insertRequestLines } from "#server/rest/store";
import { patientDeadline, testPostgresUrl } from "#server/testing/database";
import { livedTime } from "#server/testing/lived-time";
import { testContext } from "#server/testing/test-context";
import { keepPartitionsJob } from "./log-partitions";

const url = await testPostgresUrl();
const day = 86_400;
const open = () => {
  const database = openPostgres({ url, deadline: patientDeadline, pools: { general: 4 } });
  onTestFinished(() => database.close());
  return database;
};
const first = await testContext({ database: openPostgres({ url, deadline: patientDeadline }) });
const second = await testContext({
  database: openPostgres({ url, deadline: patientDeadline }),
  beside: first,
});
const instances = [first.ctx, second.ctx];
const { clock } = first;
clock.set(new Date(Math.floor(Date.now() / 86_400_000 + 20) * 86_400_000 + 12 * 3_600_000));
const run = (ctx: (typeof instances)[number]) =>
  keepPartitionsJob.run(ctx, { budget: 0, signal: new AbortController().signal });

const waitingForLocks = async () => {
  const [row] = await first.ctx.database.query
    .select({ waiting: sql`count(*)`.mapWith(Number) })
    .from(sql`pg_locks`)
    .where(
      sql`not granted and database = (select oid from pg_database where datname = current_database())`,
    );
  return row?.waiting;
};
const event = (at: Date) => ({ at, act: "session.opened", actor: "anonymous", details: {} });
const line = (at: Date) => ({
  ...{ at, requestId: "r", method: "GET", route: "/user", status: 200, micros: 5 },
  ...{
    failureCode: null,
    accountId: null,
    clientId: null,
    address: null,
    path: null,
    userAgent: null,
    failure: null,
  },
});
/** Milliseconds: the lock timeout, plus a busy machine. */
const longestCall = 300 + 1_500;

test("two instances make and drop partitions beside readers and writers: nothing fails, no call waits long", async () => {
  let over = false;
  let [calls, longest] = [0, 0];
  const timed = async (work: () => Promise<unknown>) => {
    const begun = livedTime();
    await work();
    longest = Math.max(longest, begun());
    calls += 1;
  };
  const traffic = instances.flatMap(({ database }) => [
    async () => {
      while (!over)
        await timed(() => insertRequestLines(database, [line(clock.now()), line(clock.now())]));
    },
    async () => {
      while (!over)
        await timed(() =>
          database.transaction(async (tx) => {
            await tx.insert(auditLog).values(event(clock.now()));
            await tx.execute(sql`select count(*) from request_log`);
          }),
        );
    },
    async () => {
      while (!over) await timed(() => database.query.execute(sql`select count(*) from audit_log`));
    },
  ]);
  const busy = Promise.all(traffic.map((work) => work()));
  const rounds = 12;
  let [made, dropped] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    clock.advance(8 * day);
    for (const counts of await Promise.all(instances.map(run))) {
      made += counts.made ?? 0;
      dropped += counts.dropped ?? 0;
    }
  }
  over = true;
  await busy;
  expect(made).toBeGreaterThanOrEqual(8 * rounds);
  expect(dropped).toBeGreaterThan(8);
  expect(calls).toBeGreaterThan(rounds);
  expect(longest).toBeLessThan(longestCall);
  const [state] = await first.ctx.database.query
    .select({ deadlocks: sql`deadlocks`.mapWith(Number) })
    .from(sql`pg_stat_database`)
    .where(sql`datname = current_database()`);
  expect(state?.deadlocks).toBe(0);
});

test("a line whose partition is made while it is on its way into the default one is written into its own", async () => {
  const at = new Date(clock.now().getTime() + 300 * day * 1000);
  const [from, to] = [0, 1].map(
    (days) => `'${new Date(at.getTime() + days * day * 1000).toISOString()}'`,
  ) as [string, string];
  const name = "request_log_made_meanwhile";
  let written: Promise<void> | undefined;
  await open().transaction(async (tx) => {
    await createPartition(tx, requestLog, { name, from, to });
    written = insertRequestLines(second.ctx.database, [line(at)]);
    void written.catch(() => {});
    await expect.poll(() => waitingForLocks()).toBe(1);
  });
  await written;
  const [row] = await first.ctx.database.query
    .select({ lines: sql`count(*)`.mapWith(Number) })
    .from(sql`${sql.identifier(name)}`);
  expect(row?.lines).toBe(1);
});

test("a drop that somebody's long transaction holds up lets calls through, and comes to its end when that has ended", async () => {
  await run(first.ctx);
  clock.advance(40 * day);
  const other = open();
  let longest = 0;
  await other.transaction(async (tx) => {
    await tx.execute(sql`select count(*) from request_log`);
    const failed = expect(run(first.ctx)).rejects.toThrow();
    let ended = false;
    void failed.then(() => {
      ended = true;
    });
    while (!ended) {
      const begun = livedTime();
      await second.ctx.database.query.insert(requestLog).values(line(clock.now()));
      longest = Math.max(longest, begun());
      await wait(5);
    }
    await failed;
  });
  expect(longest).toBeLessThan(longestCall);
  expect((await run(first.ctx)).dropped).toBeGreaterThan(0);
});

test("a process that is killed between making a partition and attaching it leaves nothing behind, and the next one makes it", async () => {
  const dying = open();
  const name = "request_log_29990101";
  const bounds = { name, from: "'2999-01-01T00:00:00Z'", to: "'2999-01-02T00:00:00Z'" };
  const found = async () => {
    const [row] = await first.ctx.database.query
      .select({ found: sql<boolean>`to_regclass(${name}) is not null` })
      .from(sql`(select) as one`);
    return row?.found;
  };
  const killed = dying.transaction(async (tx) => {
    const [own] = await tx
      .select({ pid: sql<number>`pg_backend_pid()` })
      .from(sql`(select) as one`);
    await tx.execute(
      sql`create table ${sql.identifier(name)} (like request_log including defaults)`,
    );
    await first.ctx.database.query.execute(
      sql`select pg_terminate_backend(${own?.pid ?? 0}::integer, 5000)`,
    );
    await tx.execute(sql`select 1`);
  });
  await expect(killed).rejects.toThrow();
  expect(await found()).toBe(false);
  await first.ctx.database.transaction((tx) => createPartition(tx, requestLog, bounds));
  await second.ctx.database.transaction((tx) => createPartition(tx, requestLog, bounds));
  expect(await found()).toBe(true);
});
