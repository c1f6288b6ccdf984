import { asc, getTableName, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditLog, requestLog } from "#db/schema/operations";
import { searchAuditLog } from "#server/audit/read-events";
import { showCalls } from "#server/oauth/clients/calls/show-calls";
import { testDatabase } from "#server/testing/database";
import { mintApplication } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser, visitor } from "#server/testing/world";
import { keepPartitionsJob, logStatesOf } from "./log-partitions";

const database = await testDatabase();
const { ctx, clock, log } = await testContext({ database });
const on = database.query;
const day = 86_400;
const run = () => keepPartitionsJob.run(ctx, { budget: 0, signal: new AbortController().signal });
const everyCall = {
  outcome: "all",
  endpoint: null,
  player: null,
  range: "30d",
  until: null,
} as const;
const developer = await mintUser(ctx);
const { clientId } = await mintApplication(ctx, developer);

// The oldest partitions cover the migration, by the database's clock, and some days more.
clock.set(new Date(Math.floor(Date.now() / 86_400_000 + 20) * 86_400_000 + 12 * 3_600_000));

async function call(requestId: string) {
  const said = {
    requestId,
    method: "GET",
    route: "/user",
    status: 200,
    failureCode: null,
    accountId: null,
  };
  ctx.logRequest({ ...said, at: ctx.now(), clientId, address: null, micros: 5 });
  await ctx.settled();
}
const act = () => ctx.audit(on, visitor, "session.opened");
/** Partitions of a log's rows, oldest first. */
const standing = async (table: typeof requestLog | typeof auditLog) =>
  (
    await on
      .select({ place: sql<string>`tableoid::regclass::text` })
      .from(table)
      .orderBy(asc(table.at))
  ).map(({ place }) => place);
const dayOf = (at: Date) => at.toISOString().slice(0, 10).replaceAll("-", "");
const indexesOf = async (partition: string) =>
  (
    await on
      .select({ name: sql<string>`indexname` })
      .from(sql`pg_indexes`)
      .where(sql`tablename = ${partition}`)
  ).map(({ name }) => name);

beforeEach(async () => {
  clock.advance(200 * day);
  await run();
  await on.execute(sql`truncate request_log, audit_log`);
});

test("each day has a partition of the request log, each week one of the audit log, and the next ones wait", async () => {
  const days = [];
  for (let passed = 0; passed < 9; passed++) {
    await call(`day ${passed}`);
    await act();
    days.push(`request_log_${dayOf(clock.now())}`);
    clock.advance(day);
    if (passed % 3 === 0)
      expect(logStatesOf(await run()).map(({ strays }) => strays)).toEqual([0, 0]);
  }
  expect(await standing(requestLog)).toEqual(days);
  const weeks = new Set(await standing(auditLog));
  expect([...weeks].filter((name) => !/^audit_log_\d{8}$/.test(name))).toEqual([]);
  expect(weeks.size).toBeGreaterThan(1);
  expect(weeks.size).toBeLessThan(4);
  const counts = await run();
  expect(await run()).toMatchObject({ made: 0, dropped: 0, indexed: 0 });
  for (const { aheadSeconds } of logStatesOf(counts)) expect(aheadSeconds).toBeGreaterThan(6 * day);
});

test("a day that is over gets the indexes that calls do not pay for, an hour later", async () => {
  await call("today");
  const name = `request_log_${dayOf(clock.now())}`;
  const late = [`${name}_account`];
  clock.advance(12 * 3_600 + 3_599);
  expect(await run()).toMatchObject({ indexed: 0 });
  expect((await indexesOf(name)).filter((index) => late.includes(index))).toEqual([]);
  clock.advance(1);
  expect(await run()).toMatchObject({ indexed: 1 });
  expect(await indexesOf(name)).toEqual(expect.arrayContaining(late));
  expect(await run()).toMatchObject({ indexed: 0 });
});

test.each([
  { of: "the request log", table: requestLog, kept: 29, gone: 30 },
  { of: "the audit log", table: auditLog, kept: 90, gone: 98 },
])(
  "rows of $of can be read for $kept days and are gone after $gone",
  async ({ table, kept, gone }) => {
    await call("old");
    await act();
    clock.advance(kept * day);
    await run();
    expect(await standing(table)).toHaveLength(1);
    clock.advance((gone - kept) * day);
    expect((await run()).dropped).toBeGreaterThan(0);
    expect(await standing(table)).toEqual([]);
  },
);

test("a row that no partition takes is kept in the default one, is told of, and goes in its time", async () => {
  const [{ last }] = (await on
    .select({ last: sql<string>`max(relname)` })
    .from(sql`pg_class`)
    .where(sql`relname ~ '^request_log_[0-9]{8}$' and relkind = 'r'`)) as [{ last: string }];
  clock.set(new Date(`${last.slice(-8, -4)}-${last.slice(-4, -2)}-${last.slice(-2)}T23:00:00Z`));
  clock.advance(day);
  await call("stray");
  await call("stray too");
  expect(await standing(requestLog)).toEqual(["request_log_default", "request_log_default"]);
  const counts = await run();
  expect(logStatesOf(counts)).toMatchObject([
    { table: "request_log", aheadSeconds: 0, strays: 2 },
    { strays: 0 },
  ]);
  expect(log.lines.map(({ message }) => message)).toContain("a partition could not be made");
  // The next day has its partition, so that no more rows stray.
  clock.advance(2 * 3_600);
  await call("at home");
  expect((await standing(requestLog)).at(-1)).toBe(`request_log_${dayOf(clock.now())}`);
  expect(logStatesOf(await run())).toMatchObject([{ strays: 0 }, { strays: 0 }]);
  clock.advance(29 * day);
  await run();
  expect(await standing(requestLog)).not.toContain("request_log_default");
});

test("pages run over the borders of partitions in one order, each row once", async () => {
  const called: string[] = [];
  for (let passed = 0; passed < 120; passed++) {
    called.unshift(`call ${passed}`);
    await call(`call ${passed}`);
    await act();
    clock.advance(3_600);
    if (passed % 24 === 0) await run();
  }
  const seen: string[] = [];
  for (let after: string | null = null; ; ) {
    const page = await showCalls(ctx, developer, { ...everyCall, clientId, after });
    seen.push(...page.rows.map(({ requestId }) => requestId));
    after = page.next;
    if (after === null) break;
  }
  expect(seen).toEqual(called);
  const times: number[] = [];
  for (let before: string | undefined; ; ) {
    const { events, next } = await searchAuditLog(ctx, { act: "session.opened", before });
    times.push(...events.map(({ at }) => at.getTime()));
    if (next === null) break;
    before = next;
  }
  expect(times).toHaveLength(120);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  expect(new Set(await standing(requestLog)).size).toBeGreaterThan(4);
});

test("a partition has the columns of its log, and their types", async () => {
  const shapeOf = (table: string) =>
    on
      .select({ column: sql`column_name`, type: sql`data_type`, nullable: sql`is_nullable` })
      .from(sql`information_schema.columns`)
      .where(sql`table_name = ${table}`)
      .orderBy(sql`column_name`);
  for (const table of [requestLog, auditLog].map(getTableName)) {
    const [partition] = await on
      .select({ name: sql<string>`relname` })
      .from(sql`pg_class`)
      .where(sql`relname ~ ${`^${table}_[0-9]{8}$`}`)
      .limit(1);
    expect(await shapeOf(partition?.name ?? "")).toEqual(await shapeOf(table));
  }
});
